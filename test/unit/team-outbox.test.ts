import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { isDeletion, listPendingChanges, restoreDeleted } from '../../src/features/team/service/outbox.ts';
import { pack } from '../../src/features/team/service/packed.ts';
import { openReplica } from '../../src/features/team/service/replica.ts';
import { duplicateAsReplica } from '../../src/features/team/service/replicas.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { close, makeFolder, open, passageSettings } from '../support/opened-notebooks.ts';

/** Copies a notebook with a note and a conversation as a team's, and returns the folder of the copy. */
async function duplicateShared(): Promise<string> {
  const [from, to] = [makeFolder(), makeFolder()];
  const index = await open(from);
  index.features.notes.add({ title: 'Plan', text: 'Dig the beds.', citations: [] });
  const conversation = index.features.conversations.begin();
  const turn = {
    id: 't',
    question: 'What?',
    askedAt: 1,
    state: { kind: 'stopped' },
    answer: undefined,
  } as const;
  index.features.conversations.putTurn(conversation, turn);
  await close(index);
  await duplicateAsReplica(from, to, randomUUID(), 'notebook');
  return to;
}

describe('Pending changes of a synced notebook', () => {
  it('are all entities but conversations after a notebook was shared', async () => {
    await withNotebook(await duplicateShared(), (sql) => {
      const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
      assert.deepEqual(
        listPendingChanges(replica).map(({ kind }) => kind),
        ['note'],
      );
      assert.equal(sql.has('SELECT 1 FROM conversations'), false);
      assert.equal(sql.has('SELECT 1 FROM turns'), false);
    });
  });

  it('are deletions if the entity is no longer here', async () => {
    await withNotebook(await duplicateShared(), (sql) => {
      const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
      const [change] = listPendingChanges(replica);
      assert.ok(change);
      assert.equal(isDeletion(replica, change), false);
      sql.run('DELETE FROM notes');
      assert.equal(isDeletion(replica, change), true);
    });
  });

  it('download the turns of a restored conversation again', async () => {
    await withNotebook(await duplicateShared(), (sql) => {
      const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
      for (const [kind, id] of [
        ['conversation', 'c'],
        ['turn', 't'],
      ] as const)
        sql.insert('team_things', { kind, id, revision: 3, value: pack({}) });
      sql.run('UPDATE team SET things_revision = 3');
      restoreDeleted(replica, { number: 1, kind: 'conversation', id: 'c' });
      assert.deepEqual(sql.all('SELECT kind FROM team_things'), []);
      assert.equal(sql.get('SELECT things_revision FROM team')?.things_revision, 0);
    });
  });

  it('are sent with sources first, and parts after the entities that contain them', async () => {
    await withNotebook(await duplicateShared(), (sql) => {
      const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
      sql.run('DELETE FROM team_outbox');
      const kinds = ['turn', 'card', 'cell', 'step', 'deck', 'conversation', 'document', 'source'];
      for (const kind of kinds) sql.insert('team_outbox', { kind, id: kind });
      assert.deepEqual(
        listPendingChanges(replica).map(({ kind }) => kind),
        ['source', 'document', 'deck', 'conversation', 'turn', 'card', 'cell', 'step'],
      );
    });
  });

  it('still include a deleted turn after a conversation was restored', async () => {
    await withNotebook(await duplicateShared(), (sql) => {
      const replica = openReplica(sql, [], passageSettings, NO_LIMITS);
      for (const id of ['deleted', 'restored'])
        sql.insert('team_things', { kind: 'turn', id, revision: 3, value: pack({}) });
      sql.insert('team_outbox', { kind: 'turn', id: 'deleted' });
      restoreDeleted(replica, { number: 0, kind: 'conversation', id: 'c' });
      assert.deepEqual(
        sql.all('SELECT id FROM team_things').map(({ id }) => id),
        ['deleted'],
      );
      const change = listPendingChanges(replica).find(({ kind }) => kind === 'turn');
      assert.ok(change);
      assert.equal(isDeletion(replica, change), true);
    });
  });
});
