"""What each figure of the Batches page can show and cannot, in a biologist's words."""

DESIGN = (
    "How many rows each batch has of each label. A label that was only ever measured in one batch cannot be told "
    "from that batch, whatever is computed afterwards."
)

PLANE = (
    "Every point is a component, read on samples that it was not fitted on. High up: it differs between batches. "
    "Far to the right: it differs between labels. Grey corner: what shuffled batches and labels reach. Open "
    "circles are not identified: with other samples they would be other components. It cannot show a batch effect "
    "that no component holds, nor tell batch from a label that stayed in its batch. Select with the lasso, then "
    "drop or keep."
)

REMOVAL = (
    "Components go one by one, those that differ most between batches (of the controls, where there are any) "
    "first. Chosen on one half of the samples, read on the other. The closer to the upper left, the more biology "
    "is kept for the batch that goes; the dotted line is what you get when every component mixes both. It cannot "
    "show whether what is left is of use to you. After arXiv 2603.11970."
)

AUROC = (
    "Each dot is a label: how well a linear classifier, trained on the other batches, tells it from the controls "
    "in a batch that it has never seen. .5 is chance; grey: the same with labels shuffled within batches, which lies "
    "above .5 where label and controls are unevenly spread over batches; bars: mean over labels with a 95% interval. "
    "If the well alone does as well, the plates share a layout and a label cannot be told from its wells. With the L2 "
    "penalty PCA and its rotations are the same by algebra."
)

PLATE = (
    "The mean of one component in each well. Rows, columns or edges that stand out are effects of the place on "
    "the plate; single wells are effects of what is in them. It cannot tell the two apart where every plate has "
    "one layout."
)

PLANES = (
    "The same samples before and after, in the same colours. Batches that lie on top of each other afterwards are "
    "mixed on these two axes only; the numbers below say how far in all of them."
)

UMAP = (
    "UMAP keeps neighbours together. Distances between its clusters, their sizes and their shapes mean nothing, "
    "so it can suggest that batches mix and cannot prove it."
)

CONCENTRATION = (
    "Hoyer: how few features the classifiers rest on (1: one, 0: all alike; compare within one number of "
    "dimensions). Share: how much of the biology lies in its top quarter of features (never under 25%); mean: "
    "their mean η². Published for a microscopy foundation model: Base .163, PCA .332, PCA + ICA .386, PCA + "
    "random .287."
)

RETRIEVAL = (
    "Does a sample find the others of its label, in other batches, before it finds controls? Mean average "
    "precision over labels, what a random ranking gives, and the share of labels found at a corrected p under 5%. "
    "No rotation changes it, so PCA stands for PCA + ICA, too."
)

MIXING = (
    "As scib defines them, from 0 to 1, on held-out rows, 90 neighbours. For batch: PCR is better low, the others "
    "high; batches dealt at random reach an iLISI of about .5 to .6 on real tables, not 1. For labels: high. They see "
    "distances, not axes, so they are equal for all rotations; and good mixing is no proof that biology was kept."
)

EXPORT = (
    "Only the components that you keep, put back into the original features. The same correction can be applied "
    "to another plate: `report.correction(drop).transform(new)`."
)
