"""The anytime search that every measure shares: its clock, its warm-up, and cliques."""
