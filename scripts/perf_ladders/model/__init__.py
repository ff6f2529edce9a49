"""The types of what was measured."""
