-- Gives each notebook its own notification channel.

ALTER TABLE open_notebook.notebooks ADD COLUMN channel text NOT NULL DEFAULT open_notebook.new_channel();
