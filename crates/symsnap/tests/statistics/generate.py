"""Make values.json: SciPy's answers on data sets with and without ties, zeros and constant parts.

    pip install scipy && python3 generate.py > values.json

Each data set is a list of differences; correlations are of the differences with a second sample.
"""
import json
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(20261115)


def data_sets():
    for n in (3, 4, 5, 6, 7, 9, 11, 12, 13, 20, 37, 50, 111):
        yield f"normal {n}", rng.normal(0.3, 1.0, n)
        yield f"skewed {n}", rng.exponential(1.0, n) - 0.5
    for n in (4, 5, 6, 7, 8, 10, 12, 13):
        yield f"ties {n}", rng.integers(-3, 4, n) / 2.0
        yield f"zeros {n}", np.where(rng.random(n) < 0.4, 0.0, rng.normal(0, 1, n))
        yield f"ties without zeros {n}", rng.choice([-2.0, -1.0, 1.0, 2.0, 3.0], n)
    yield "one outlier", np.array([0.0, 0.0, 0.0, 0.0, 0.0, 5.0])
    yield "constant", np.full(6, 2.0)
    yield "all zero", np.zeros(6)
    yield "constant but one", np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.5])
    yield "huge offset", 1e6 + rng.normal(0, 1, 12)
    yield "tiny", rng.normal(0, 1e-9, 9)
    yield "long tail", rng.standard_cauchy(30)
    yield "percentages", np.round(rng.normal(0.5, 2, 25), 1)


def number(value):
    value = float(value)
    return value if np.isfinite(value) else None


def wilcoxon(d):
    kept = d[d != 0]
    if len(kept) == 0:
        return None
    tied = len(np.unique(np.abs(kept))) < len(kept)
    if not tied:
        result = stats.wilcoxon(kept, method="exact")
    elif len(kept) <= 13:
        result = stats.wilcoxon(kept, method=stats.PermutationMethod(n_resamples=10**9))
    else:
        return None
    return {"statistic": float(result.statistic), "p": float(result.pvalue)}


def describe(name, d):
    other = 0.5 * d + rng.normal(0, 1, len(d))
    if "ties" in name:
        other = np.round(other)
    t, p = stats.ttest_rel(d, np.zeros(len(d)))
    shapiro = stats.shapiro(d)
    low, high = stats.t.interval(0.95, len(d) - 1, np.mean(d), stats.sem(d)) if np.std(d) > 0 else (d[0], d[0])
    constant = np.all(d == d[0])
    line = None if constant else stats.linregress(d, other)
    return {
        "name": name,
        "differences": d.tolist(),
        "other": other.tolist(),
        "shapiro": {"statistic": float(shapiro.statistic), "p": float(shapiro.pvalue)},
        "t": None if constant else {"statistic": number(t), "p": number(p)},
        "wilcoxon": wilcoxon(d),
        "half_width": number((high - low) / 2),
        "pearson": None if constant else [float(v) for v in stats.pearsonr(d, other)],
        "spearman": None if constant else [float(v) for v in stats.spearmanr(d, other)],
        "line": None if constant else [float(line.slope), float(line.intercept), float(line.rvalue**2)],
    }


def rankings():
    for n, k in ((4, 3), (6, 4), (10, 3), (15, 5), (37, 8), (111, 6)):
        for decimals in (6, 1):
            scores = np.round(rng.random((n, k)) + 0.1 * np.arange(k), decimals)
            result = stats.friedmanchisquare(*(-scores).T)
            critical = stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
            yield {
                "scores": scores.tolist(),
                "friedman": {"statistic": float(result.statistic), "p": float(result.pvalue)},
                "mean_ranks": stats.rankdata(-scores, axis=1).mean(axis=0).tolist(),
                "critical_difference": float(critical),
            }


print(json.dumps({"samples": [describe(*it) for it in data_sets()], "rankings": list(rankings())}))
