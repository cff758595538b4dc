"""Where statements are tried: random, extreme and adversarial instances."""
