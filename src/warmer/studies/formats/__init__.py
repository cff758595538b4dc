"""Problems and studies as bytes and as lines that a person can read."""
