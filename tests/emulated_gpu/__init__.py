"""The kernels for a GPU without one: compiled for this machine by g++, each thread of a block in its turn."""
