"""Reports on run folders: figures, tables, statistics. `lapis.report.command` writes them."""
