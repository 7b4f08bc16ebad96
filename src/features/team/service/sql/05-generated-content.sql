-- Adds extraction tables, decks, and quizzes.

ALTER TABLE open_notebook.things DROP CONSTRAINT things_kind_check;
ALTER TABLE open_notebook.things ADD CONSTRAINT things_kind_check CHECK (kind IN (
  'annotations', 'card', 'cell', 'conversation', 'deck', 'matrix', 'quiz', 'research', 'step', 'turn'));
