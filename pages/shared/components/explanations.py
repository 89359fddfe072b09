"""What the figures of the Components page mean, in plain words, with the source."""

HEATMAPS = (
    "Each row is a component, each column a known factor, on samples that neither model nor ICA was fitted on. "
    "Framed: the one-to-one assignment with the largest sum. Hatched: independent components that are not identified "
    "(too close to Gaussian, or not found again in resamples). A good code has one bright cell a row and a column. "
    "Click a cell to look closer."
)
MEASURE = (
    "Normalised mutual information sees any relation (Ross 2014 for continuous components, continuous factors in "
    "{bins} classes of equal size; divided by the factor's entropy). |Pearson| sees straight ones, |Spearman| monotone "
    "ones; of a factor without an order both are the correlation ratio η."
)
SCORES = (
    "Bars: mean over runs; dots: runs. Dash: 95% of row permutations, which take latents and factors apart, lie below "
    "it; a score at its dash says nothing. Grey bars are random rotations, with their range: what no choice of axes "
    "gives. InfoM, InfoE and InfoC after Hsu et al. (2023), variant {variant}."
)
SCATTER = "The component against the factor, one dot a held-out sample."
TRAVERSAL = (
    "Decoded from the run's own decoder: the component goes from its 2.5% to its 97.5% quantile, through inverse ICA "
    "and whitening, and all else stays at the mean. Below: the component that is assigned to it in every other run, by "
    "|correlation| on the same samples. If it comes back, the rows look alike."
)
SHARED_SAMPLES = (
    "It is not identified all the same: the runs share their samples, and with other samples its axis may come out "
    "turned within its block."
)
ENDS = "Held-out samples with the lowest and the highest value of the component."
DIAGNOSTICS = (
    "z: held-out distance from Gaussian in standard errors; stability: share of bootstrap refits that find the "
    "component again; axis gain: what its axis gains over turning it by 45° with the component it depends on. "
    "Identified: z of 4 or more, stability of .9 or more, and an axis gain of 2 or more where it depends on another."
)
DEPENDENCE = (
    "Largest distance correlation with another component on held-out samples (Székely et al. 2007), 0 for independent "
    "ones; p over row permutations, corrected for the number of pairs. ICA assumes independence: a small p says that "
    "the assumption does not hold."
)
AXIS_GAIN = "Standard errors; read only where squares are dependent. A sphere or any elliptical block gains nothing."
BLOCKS = (
    "Of components that are not identified only the subspace of their block can be known. Cosines of the principal "
    "angles between a block and the one matched to it in the other run, read on held-out samples; by chance: 95% of "
    "row permutations lie below. The same subspace: equal sizes, and a lowest cosine of .9 or more."
)
DIRECTIONS = (
    "Standard deviation along each principal direction. Those under 1/20 of the largest are dead: whitening would blow "
    "their noise up, so they are left out before it."
)
