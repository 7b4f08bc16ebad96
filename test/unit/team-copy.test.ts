import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { close, makeFolder, open, passageSettings } from '../support/opened-notebooks.ts';
import { Machine } from '../support/team.ts';
import { exchange, joinAs, leave, shareTexts } from '../support/team-large.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { listPendingChanges } from '../../src/features/team/service/outbox.ts';

const server = useTeamServer();

const DOCUMENTS = 450;

/** Returns the number of documents in a notebook, and checks that it isn't linked to a team. */
async function countIn(directory: string): Promise<number> {
  return withNotebook(directory, (sql) => {
    for (const table of ['team', 'team_deeds', 'team_documents', 'team_outbox', 'team_places'])
      assert.equal(sql.get(`SELECT 1 FROM ${table}`), undefined, table);
    return Number(sql.get('SELECT count(*) AS count FROM documents')?.count);
  });
}

test('copies documents from the database, and keeps the local ones when offline or canceled', async () => {
  const members = { ada: 'author', ben: 'author' } as const;
  const { ada = '', ben = '' } = await makeTeam(await server.createTeamDatabase(), members, 'copy');
  const texts = Array.from(
    { length: DOCUMENTS },
    (_, number) =>
      [`${String(number)}.md`, `Bed ${String(number)} has the plant word${String(number)}.`] as const,
  );
  const { member: one, notebookId } = await shareTexts(ada, new Map(texts), { maxLocalPassages: 1_000 });
  assert.equal(await teamHandlers.countElsewhere({ directory: one.machine.directory }, context), 0);
  const two = await joinAs(await Machine.join(ben, notebookId), notebookId, { maxLocalPassages: 50 });
  await exchange(two);
  const from = two.machine.directory;
  const documentCount = two.machine.index.store.counts().documents;
  assert.ok(documentCount >= 50 && documentCount < DOCUMENTS, String(documentCount));
  assert.equal(await teamHandlers.countElsewhere({ directory: from }, context), DOCUMENTS - documentCount);
  const copy = async (
    connection: string,
    { signal, report = () => undefined }: Partial<Parameters<typeof teamHandlers.completeCopy>[1]> = {},
  ): Promise<{ readonly to: string; readonly error: unknown }> => {
    const to = makeFolder();
    await duplicateNotebook(from, to);
    const params = { connection, notebookId, from, to, roots: [], passages: passageSettings };
    const error: unknown = await Promise.resolve(
      teamHandlers.completeCopy(params, { signal: signal ?? context.signal, report }),
    ).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { to, error };
  };

  const progressReports: { readonly done: number; readonly total: number }[] = [];
  const whole = await copy(ben, {
    report: (progress) => {
      progressReports.push(progress);
    },
  });
  assert.equal(whole.error, undefined);
  assert.equal(await countIn(whole.to), DOCUMENTS);
  assert.deepEqual(progressReports.at(-1), { done: DOCUMENTS, total: DOCUMENTS });
  const index = await open(whole.to);
  const hits = await index.passageSearch.search(`word${String(DOCUMENTS - 1)}`, 1);
  assert.equal(hits[0]?.documentKey, `${String(DOCUMENTS - 1)}.md`);
  await close(index);
  // The synced notebook is unchanged.
  assert.equal(two.machine.index.store.counts().documents, documentCount);
  assert.equal(listPendingChanges(two.replica).length, 0);

  const stop = new AbortController();
  const stopped = await copy(ben, {
    signal: stop.signal,
    report: () => {
      stop.abort();
    },
  });
  assert.match(String(stopped.error), /Stopped/);
  const inTheMiddle = await countIn(stopped.to);
  assert.ok(inTheMiddle > documentCount && inTheMiddle < DOCUMENTS, String(inTheMiddle));

  const nobody = ben.replace(/:\d+\//, ':1/');
  const cut = await copy(nobody);
  assert.match(String(cut.error), /127\.0\.0\.1 refused the connection/);
  assert.equal(await countIn(cut.to), documentCount);
  for (const member of [one, two]) await leave(member);
});
