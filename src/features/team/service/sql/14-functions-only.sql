-- Denies members direct access to tables.

REVOKE ALL ON ALL TABLES IN SCHEMA open_notebook FROM open_notebook_member;
GRANT SELECT ON open_notebook.about TO open_notebook_member;
