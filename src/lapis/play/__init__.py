"""A person plays Simon Says: `techtree` in the terminal, `voxel` in a browser."""
