"""Films of a player in the voxel world: what it sees, what it is asked for, what comes of it."""
