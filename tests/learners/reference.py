"""The paper's algorithms as printed: every step looks at the whole past and the whole set of alternatives.

An alternative is whatever `alternatives` lists; `rho(query, target)` evaluates two of them. Ties go to the first.
"""

import math


def algorithm_1(alternatives, rho, alpha, history):
    """z_t = argmin over Z_alpha of the sum of squared residuals."""
    viable = [z for z in alternatives if rho(z, z) >= alpha]
    return min(viable, key=lambda z: loss(z, rho, history))


def algorithm_3(alternatives, rho, radius, history):
    """z_t = argmax of the self-evaluation over the ball around the minimiser."""
    estimate = min(alternatives, key=lambda z: loss(z, rho, history))
    ball = [z for z in alternatives if sum((rho(q, z) - rho(q, estimate)) ** 2 for q, _ in history) <= radius]
    return max(ball, key=lambda z: rho(z, z))


def optimistic_over_loss_ball(alternatives, rho, radius, history):
    """Algorithm 3 with the confidence set {L - min L <= radius}."""
    least = min(loss(z, rho, history) for z in alternatives)
    ball = [z for z in alternatives if loss(z, rho, history) - least <= radius]
    return max(ball, key=lambda z: rho(z, z))


def algorithm_5(functions, actions, alpha, history):
    """f_t = argmin over F_alpha, a_t = argmax f_t(a); functions are mappings from actions to values."""
    viable = [f for f in functions if max(f[a] for a in actions) >= alpha]
    estimate = min(viable, key=lambda f: sum((f[a] - r) ** 2 for a, r in history))
    return max(actions, key=lambda a: estimate[a])


def algorithm_6(functions, actions, radius, history):
    """a_t maximises f(a) over f in the ball around the minimiser."""
    estimate = min(functions, key=lambda f: sum((f[a] - r) ** 2 for a, r in history))
    ball = [f for f in functions if sum((f[a] - estimate[a]) ** 2 for a, _ in history) <= radius]
    return max(((f, a) for f in ball for a in actions), key=lambda pair: pair[0][pair[1]])[1]


def loss(z, rho, history):
    return sum((rho(query, z) - reward) ** 2 for query, reward in history)


def posterior(losses, sigma):
    """Uniform prior, Gaussian likelihood."""
    weights = [math.exp(-(value - min(losses)) / (2 * sigma**2)) for value in losses]
    return [weight / sum(weights) for weight in weights]


def ucb1(rewards, width):
    """rewards: for each query the list of its rewards."""
    for query, past in enumerate(rewards):
        if not past:
            return query
    t = sum(len(past) for past in rewards)
    index = [sum(past) / len(past) + width * math.sqrt(2 * math.log(t) / len(past)) for past in rewards]
    return index.index(max(index))


def algorithm_2(base, answer, horizon, indices, n_repeats):
    """base(history) is the next query, answer(query) a reward; indices were drawn from 1..T. Ties go to the first."""
    history = []
    for _ in range(horizon):
        query = base(history)
        history.append((query, answer(query)))
    candidates = [history[t - 1][0] for t in indices]
    means = [sum(answer(query) for _ in range(n_repeats)) / n_repeats for query in candidates]
    return candidates[means.index(max(means))]


def algorithm_4(alternatives, rho, alpha, predictions):
    """z_{t+1} = argmin over Z_alpha of the distance to the oracle's predictions, pairs of a query and a number."""
    return algorithm_1(alternatives, rho, alpha, predictions)


def optimistic_algorithm_4(alternatives, rho, radius, predictions):
    """z_{t+1} = argmax of the self-evaluation over the targets near the predictions; None where there are none."""
    near = [z for z in alternatives if loss(z, rho, predictions) <= radius]
    return max(near, key=lambda z: rho(z, z)) if near else None
