"""A matrix or a comparison as terminal table, JSON, JUnit, Stryker report, HTML."""
