import { changeFunction } from './change-function.ts';

/**
 * Gives each notebook its own notification channel. Anyone who can connect to the database can listen to a channel
 * whose name they know. So only members who can view a notebook can read the name of its channel, and the channel
 * changes when a member loses access.
 */
export const CHANNELS = `
  CREATE FUNCTION open_notebook.new_channel() RETURNS text
  LANGUAGE sql VOLATILE SET search_path = open_notebook, pg_temp AS $$
    SELECT 'open_notebook_' || left(encode(sha256(convert_to(
      random()::text || random()::text || random()::text || clock_timestamp()::text || pg_backend_pid(), 'UTF8')), 'hex'), 40)
  $$;
  ALTER TABLE open_notebook.notebooks ADD COLUMN channel text NOT NULL DEFAULT open_notebook.new_channel();

  CREATE OR REPLACE FUNCTION open_notebook.tell(notebook uuid) RETURNS void
  LANGUAGE plpgsql SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM pg_notify(n.channel, '') FROM notebooks n WHERE n.id = notebook;
  EXCEPTION WHEN OTHERS THEN
    NULL;
  END $$;

  -- Who follows a notebook hears of it on the channel before, and looks which one is next.
  CREATE FUNCTION open_notebook.change_channels() RETURNS void
  LANGUAGE plpgsql SET search_path = open_notebook, pg_temp AS $$
  BEGIN
    PERFORM tell(n.id) FROM notebooks n;
    UPDATE notebooks SET channel = new_channel();
  END $$;
  REVOKE EXECUTE ON FUNCTION open_notebook.new_channel, open_notebook.change_channels FROM PUBLIC;
${[
  ...changeFunction('set_right', [
    [
      'DELETE FROM rights',
      'UPDATE notebooks SET channel = new_channel() WHERE id = notebook; DELETE FROM rights',
    ],
  ]),
  ...changeFunction('set_everybody', [
    ['SET everybody = their_role', 'SET everybody = their_role, channel = new_channel()'],
  ]),
  ...changeFunction('set_member', [
    [
      'INSERT INTO members',
      `IF their_role <> 'manager' AND EXISTS (SELECT 1 FROM members WHERE name = who AND role = 'manager') THEN
      PERFORM change_channels();
    END IF;
    INSERT INTO members`,
    ],
  ]),
  ...changeFunction('remove_member', [
    [
      'DELETE FROM members WHERE name = who;',
      'DELETE FROM members WHERE name = who; PERFORM change_channels();',
    ],
  ]),
].join('')}
`;
