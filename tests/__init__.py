"""Our tests; a package, because others install one of this name, which would come first."""
