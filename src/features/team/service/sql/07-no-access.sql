-- Adds the role of members who can't view a notebook that everybody else can view.

ALTER TABLE open_notebook.rights DROP CONSTRAINT rights_role_check;
ALTER TABLE open_notebook.rights ADD CONSTRAINT rights_role_check CHECK (role IN ('none', 'reader', 'author', 'manager'));
