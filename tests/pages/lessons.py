"""Small lessons for tests: one with bars, one with a region and one with a choice over a sweep; and a file that is none."""

BARS = """
format: 1
name: bars
title: How even are the bars?
sentence: What UR does to the firing levels of 5 rules.
minutes: 8
notes: ["Let them guess first.", "Ask <b>why</b>."]
scenes:
  without:
    title: λ = 0
    data: iris
    settings: {rules: 5, epochs: 10, ur: 0}
  with:
    title: λ = 10
    like: without
    settings: {ur: 10}
question: {text: "Five rules share the work. **How evenly?**", charts: [firing], scene: without, epoch: 0}
play: {text: "Move λ.", charts: [firing, loss], scene: without, control: ur, values: [0, 1, 10]}
predict:
  text: How high are the bars for λ = 10?
  kind: bars
  labels: [1st, 2nd, 3rd, 4th, 5th]
  x: Rule
  y: Average firing level
  scene: with
  line: {at: 0.2, text: 1/R}
  outcome: {measure: firing, scene: with}
run: {text: The bars for λ = 10., charts: [firing], scene: with, beside: without}
see:
  text: What did you see?
  charts: [firing]
  scene: with
  options:
    - {text: "All near 1/R", right: true, why: UR pulls them there.}
    - {text: "One of them takes over", why: That is λ = 0.}
formula:
  text: The largest one is [[largest:.2f]].
  latex: "\\\\max_r \\\\bar f_r = [[largest:.3f]]"
  scene: with
  charts: [firing]
  numbers:
    largest: {measure: largest_share, scene: with}
break:
  text: Break it.
  charts: [accuracy]
  scene: with
  try:
    - {label: "λ = 1000", scene: with, settings: {ur: 1000}}
"""

CHOICE = """
format: 1
name: choice
title: How many rules?
sentence: Rules vote.
minutes: 8
scenes:
  plane: {data: moons, columns: [x, y], settings: {rules: 3, epochs: 8}}
  rules: {data: moons, settings: {rules: 3, epochs: 4}, over: {n_rules: [2, 4]}, seeds: 2}
question: {text: Two moons., charts: [plane], scene: plane}
play: {text: Step through the epochs., charts: [accuracy], scene: plane, control: epoch, values: [0, 2, 8]}
predict:
  text: Which has the higher accuracy?
  kind: choice
  options:
    - {text: 2 rules, why: "Two rules draw one line."}
    - {text: 4 rules, right: true, why: "Four rules bend."}
run: {text: Two seeds of each., charts: [sweep], scene: rules}
see:
  text: What did you see?
  options: [{text: A bend, right: true}, {text: A line}]
formula: {text: Votes., latex: "y = \\\\sum_r \\\\bar f_r y_r", charts: [plane], scene: plane}
break: {text: Break it., try: [{label: 30 rules, scene: plane, settings: {rules: 30}}]}
"""

REGION = """
format: 1
name: region
title: A rule is a hill
sentence: Where a rule fires.
minutes: 8
scenes:
  plane: {data: iris, columns: ["petal length (cm)", "petal width (cm)"], settings: {rules: 3, epochs: 8}}
question: {text: A rule is a hill., charts: [plane], scene: plane}
play: {text: Choose a rule., charts: [plane], scene: plane, control: rule, values: [1, 2, 3]}
predict:
  text: Where is rule 2 the strongest?
  kind: region
  grid: 6
  features: ["petal length (cm)", "petal width (cm)"]
  scene: plane
  outcome: {measure: strongest_rule, scene: plane, rule: 2}
run: {text: There., charts: [plane], scene: plane}
see: {text: "What?", options: [{text: A hill, right: true}, {text: A plain}]}
formula: {text: A product., latex: "f_r = \\\\prod_d \\\\mu_{r,d}"}
break: {text: Break it.}
"""

BROKEN = BARS.replace("name: bars", "name: broken").replace("kind: bars", "kind: bar")
GOOD = {"bars": BARS, "choice": CHOICE, "region": REGION}


def write_lessons(folder, **texts):
    """Files of lessons, by the names of the files; by default the good ones."""
    folder.mkdir(exist_ok=True)
    for name, text in (texts or GOOD).items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder
