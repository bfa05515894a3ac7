// How search orders pages: Sphinx's own scores, but what is kept for the record comes after what is written for readers.
var Scorer = {
  score: ([page, , , , score]) => (/^(decisions|project)\//.test(page) ? score - 100 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
