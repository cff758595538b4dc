"""The interface for programs, which the pages use too: every verb of a study as JSON under `/api/v1`."""
