import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { pack } from '../../src/features/team/service/packed.ts';
import { findLiveMarkdown, hostileMarkdown } from '../support/live-markdown.ts';
import { close, passageSettings, openNew } from '../support/opened-notebooks.ts';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica } from '../../src/features/team/service/replica.ts';
import { applyNotes, listConflicts } from '../../src/features/notes/sync.ts';

const torn = 'Dig.\n<<<<<<<\nSow in May.\n=======\nSow in June.\n>>>>>>> ben\n';

test('lists the notes with conflicts as they are added, renamed, resolved, and deleted', async () => {
  const { folder, index } = await openNew();
  await withNotebook(folder, (sql) => {
    const { notes } = index.features;
    const conflicts = (): string[] => listConflicts(openReplica(sql, [], passageSettings, NO_LIMITS));
    const overwrite = { create: false, overwrite: true };
    notes.add({ title: 'Plan', text: 'Dig.\n', citations: [] });
    notes.add({ title: 'Torn', text: torn, citations: [] });
    assert.deepEqual(conflicts(), ['Torn']);
    notes.write('Plan', torn, overwrite);
    assert.deepEqual(conflicts(), ['Plan', 'Torn']);
    notes.rename('Torn', 'Another', false);
    assert.deepEqual(conflicts(), ['Another', 'Plan']);
    notes.write('Plan', 'Sow in May.\n', overwrite);
    assert.deepEqual(conflicts(), ['Another']);
    notes.remove('Another');
    assert.deepEqual(conflicts(), []);
  });
  await close(index);
});

test('removes active content from a note of another member, before and after a merge', async () => {
  const { folder, index } = await openNew();
  const { notes } = index.features;
  await withNotebook(folder, (sql) => {
    sql.write("INSERT INTO team (only, team_id, notebook_id, level) VALUES (1, 't', 'n', 2)");
    const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
    const author = { addedBy: 'ben', addedAt: 1, changedBy: 'ben', changedAt: 1 };
    let revision = 0;
    const take = (id: string, text: string): void => {
      const value = pack({ text, createdAt: 1, changedAt: 1, citations: [], documents: [] });
      const row = { id, ...author, revision: ++revision, content: { title: `Note ${id}`, value } };
      assert.equal(applyNotes(replica, [row]), 0);
    };
    for (const [number, text] of hostileMarkdown.entries()) {
      const id = String(number);
      const title = `Note ${id}`;
      take(id, text);
      assert.deepEqual(findLiveMarkdown(notes.open(title).text), [], text);
      // With this line above it, code of the other member would become text.
      notes.write(title, `[ \`\n${notes.open(title).text}`, { create: false, overwrite: true });
      take(id, `${text}\nMore: \`${text}\` and \`.`);
      assert.deepEqual(findLiveMarkdown(notes.open(title).text), [], text);
    }
  });
  await close(index);
});
