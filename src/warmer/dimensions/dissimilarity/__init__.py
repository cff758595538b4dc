"""The dissimilarity dimension, its witness, and its profile over all scales."""
