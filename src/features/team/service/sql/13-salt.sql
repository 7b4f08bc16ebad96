-- Adds a secret of the notebook, which clients pack with each text.

ALTER TABLE open_notebook.notebooks ADD COLUMN salt text NOT NULL DEFAULT pg_catalog.substr(open_notebook.new_channel(), 15);
