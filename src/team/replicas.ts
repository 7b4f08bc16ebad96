import { duplicateNotebook } from '../indexing/library/duplicate.ts';
import { withNewNotebook } from '../indexing/library/opened.ts';

/** Makes what follows a team's notebook in an empty folder. */
export async function makeReplica(to: string, teamId: string, notebookId: string): Promise<void> {
  await withNewNotebook(to, (sql) => {
    sql.write('INSERT INTO team (only, team_id, notebook_id) VALUES (1, ?, ?)', teamId, notebookId);
  });
}

/** Makes what follows a team's notebook of one's own, with all that is to be sent then; what was asked in it stays there. */
export async function duplicateAsReplica(
  from: string,
  to: string,
  teamId: string,
  notebookId: string,
): Promise<void> {
  await duplicateNotebook(from, to);
  await withNewNotebook(to, (sql) => {
    sql.transaction(() => {
      for (const table of ['conversations', 'researches']) sql.run(`DELETE FROM ${table}`);
      sql.run('INSERT INTO team (only, team_id, notebook_id) VALUES (1, ?, ?)', teamId, notebookId);
      sql.run(`INSERT INTO team_outbox (kind, id)
        SELECT 'source', id FROM sources
        UNION ALL SELECT 'document', source_id || char(10) || key FROM documents
        UNION ALL SELECT 'note', id FROM notes
        UNION ALL SELECT 'annotations', uri FROM file_annotations
        UNION ALL SELECT 'matrix', id FROM matrices
        UNION ALL SELECT 'cell', matrix_id || char(10) || column_id || char(10) || row_id FROM matrix_cells
          WHERE coalesce(answer, edited) IS NOT NULL
        UNION ALL SELECT 'deck', id FROM card_decks
        UNION ALL SELECT 'card', deck_id || char(10) || key FROM cards
        UNION ALL SELECT 'quiz', id FROM quizzes`);
    });
  });
}
