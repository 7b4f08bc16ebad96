import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, input } from '../support/opened-notebooks.ts';
import { Machine } from '../support/team.ts';
import { makeAuthors } from '../support/team-members.ts';
import { rounds } from '../support/test-size.mjs';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

/** Number of writes of each member. */
const TIMES = 3;

const overwrite = { create: false, overwrite: true };

/** Lets several members write in one notebook at once, each on a machine that syncs it. */
async function writeTogether(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, number) => `of${String(count)}m${String(number)}`);
  const { strings, folder, notebookId, sourceId } = await makeAuthors(
    await server.createTeamDatabase(),
    names,
    { origin: { kind: 'folder', uri: 'file:///notes' }, plan: names.map((name) => `${name}:\n\n`).join('') },
  );
  const machines: Machine[] = [];
  for (const [number, name] of names.entries()) {
    const connection = strings[name] ?? '';
    machines.push(
      number === 0
        ? await Machine.share(connection, folder, notebookId)
        : await Machine.join(connection, notebookId),
    );
  }
  for (const machine of machines) machine.goOnline();
  for (const machine of machines)
    await machine.until('the notebook is there', () => machine.index.features.notes.list().length === 1);

  const words: string[] = [];
  await Promise.all(
    machines.map(async (machine, number) => {
      const { index } = machine;
      const name = names[number] ?? '';
      for (let time = 0; time < TIMES; time++) {
        const word = `${name}w${String(time)}`;
        words.push(word);
        index.features.notes.add({ title: `Note ${word}`, text: `${word}\n`, citations: [] });
        await index.putDocument(sourceId, input(`The ${word} stands here. `.repeat(20), `${word}.md`));
        // All write in one note, each below their own name.
        const { text } = index.features.notes.open('Plan');
        index.features.notes.write('Plan', text.replace(`${name}:\n`, `${name}:\n${word}\n`), overwrite);
        // Changes of other members arrive in between.
        await machine.settled();
      }
    }),
  );
  for (const machine of machines)
    await machine.until('all is there', () => {
      const plan = machine.index.features.notes.open('Plan').text;
      return (
        words.every((word) => plan.includes(`${word}\n`)) &&
        machine.index.features.notes.list().length === words.length + 1 &&
        machine.index.store.counts().documents === words.length
      );
    });
  for (const machine of machines) await machine.settled();
  const [first, ...others] = machines;
  for (const other of others) await first?.untilEqual(other);
  for (const [number, { index }] of machines.entries()) {
    const word = words[(number * 7) % words.length] ?? '';
    const [hit] = await index.passageSearch.search(`Where does the ${word} stand?`, 1);
    assert.ok(hit?.text.includes(word), word);
    assert.ok(!index.features.notes.open('Plan').text.includes('<<<<<<<'), 'lines of one’s own tear nothing');
  }
  await Promise.all(machines.map((machine) => machine.goOffline()));
  for (const { index } of machines) await close(index);
}

test('merges simultaneous edits of two members to the same result', async () => {
  await writeTogether(2);
});

test('merges simultaneous edits of many members to the same result', async () => {
  await writeTogether(rounds(5, 20));
});
