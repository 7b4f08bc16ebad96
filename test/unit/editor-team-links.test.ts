import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTeamLink, writeTeamLink } from '../../src/features/notebooks/editor/team-links.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('reads the link of a notebook to a team, and ignores a damaged one', async (t) => {
  const folder = temporaryFolder('team-link-', t);
  assert.equal(await readTeamLink(folder), undefined);
  const link = { teamId: 't', notebookId: 'n', name: 'Garden' };
  await writeTeamLink(folder, link);
  assert.deepEqual(await readTeamLink(folder), link);
  const write = (text: string): Promise<void> => writeFile(join(folder, 'team.json'), text);
  await write('{"teamId":"t","notebookId":"n","version":2}');
  assert.deepEqual(await readTeamLink(folder), { teamId: 't', notebookId: 'n' });
  await write('{"teamId":"t","notebookId":"n","name":7}');
  assert.deepEqual(await readTeamLink(folder), { teamId: 't', notebookId: 'n', name: undefined });
  for (const text of ['', '{', 'null', '[]', '{"teamId":"t"}', '{"teamId":"t","notebookId":{}}']) {
    await write(text);
    assert.equal(await readTeamLink(folder), undefined, text);
  }
});
