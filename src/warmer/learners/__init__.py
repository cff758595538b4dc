"""The room `learners`."""
