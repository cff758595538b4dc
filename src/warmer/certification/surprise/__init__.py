"""How surprising an answer is to the candidates that remain."""
