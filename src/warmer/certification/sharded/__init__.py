"""Evidence and certificates over a table in shards: arrays stay with the shards, numbers come here."""
