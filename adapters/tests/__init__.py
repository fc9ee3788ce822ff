"""Tests of the adapters: `scripts/test-adapters`."""
