"""The names of ``TrainConfig.firing`` mean: z_r = −Σ_d (x_d − m_rd)²/(2σ_rd²) is the log firing level (paper Eqs. 2-6), and

- "softmax": f̄ = softmax(z), the exact formula, safe from underflow;
- "paper": f̄ = exp(z)/(Σ exp(z) + PAPER_EPSILON), as the authors ran it: Σf̄ falls below 1 where all rules underflow;
- "htsk": f̄ = softmax(z / D) (Cui, Wu, Xu 2021), for high dimension; merged as softmax with σ√D.
"""

PAPER_EPSILON = 1e-8
