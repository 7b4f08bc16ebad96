import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNotebook } from '../../src/indexing/library/opened.ts';
import { Replica } from '../../src/team/replica.ts';
import { close, makeFolder, open, passageSettings } from '../support/opened-notebooks.ts';

const torn = 'Dig.\n<<<<<<<\nSow in May.\n=======\nSow in June.\n>>>>>>> ben\n';

test('the notes with two versions in them are told as they come, are renamed, are mended and go', async () => {
  const folder = makeFolder();
  const index = await open(folder);
  await withNotebook(folder, (sql) => {
    const { notes } = index;
    const conflicts = (): string[] => new Replica(sql, [], passageSettings).conflicts();
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
