"""What a log says: events, the protocol by which they are written, and what they add up to."""
