"""A person plays Simon Says in the voxel world, in a page that the browser shows."""
