"""What the adapters share: Prolog text (`text`), task folders (`task`), and programs that learn (`child`)."""
