-- Records when content was last deleted for good, which clients do once a day.

ALTER TABLE open_notebook.about ADD COLUMN tidied_at timestamptz;
