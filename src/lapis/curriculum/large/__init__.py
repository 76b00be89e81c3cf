"""Curricula over very many described tasks, most of which are never tried twice (paper P30)."""
