"""The bank as a site: plain Markdown for mkdocs-material, built apart for each audience."""
