import { GlobalSearch } from '../../src/index/store/global-search.ts';
import { openDatabaseToRead } from '../../src/index/store/database/database.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { close, input, origin, openNew } from '../support/opened-notebooks.ts';
import { printTable } from './table.ts';

const written = { create: true, overwrite: true };
const words = 'compost garden barrel rain tomatoes spring autumn frost shed water seeds bed path'.split(' ');

/** Measures a search in 5,000 notes and 5,000 answers of 1,200 characters, in milliseconds of processor time. */
export async function measureEverything(): Promise<void> {
  const { folder, index } = await openNew();
  for (let n = 0; n < 5_000; n++)
    index.features.notes.add({ title: `Note ${String(n)}`, text: makeText(n), citations: [] });
  const conversation = index.features.conversations.begin();
  for (let n = 0; n < 5_000; n++)
    index.features.conversations.putTurn(conversation, {
      id: `turn${String(n)}`,
      question: `Question ${String(n)}`,
      askedAt: n,
      state: { kind: 'done', milliseconds: 1 },
      answer: { kind: 'nothing', text: makeText(n + 5_000), citations: [] },
    });
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const unprepared = await timed(() => new GlobalSearch(sql).search('number7777', 10));
  const everything = new GlobalSearch(sql);
  const waits: number[] = [];
  let last = performance.now();
  const others = setInterval(() => {
    waits.push(performance.now() - last);
    last = performance.now();
  }, 0);
  const preparing = await timed(() => everything.prepare());
  clearInterval(others);
  const first = await timed(() => everything.search('number7777', 10));
  const times: number[] = [];
  for (const query of ['compost', 'number4321', 'spring frost shed', 'nowhere', 'garden number9'])
    times.push(await timed(() => everything.search(query, 100)));
  index.features.notes.write('Note 17', 'Quite otherwise', written);
  const after = await timed(() => everything.search('quite otherwise', 10));
  const whileIndexing: number[] = [];
  for (let n = 0; n < 10; n++) {
    const adding = index.addSource(`File ${String(n)}`, origin, input(makeText(n).repeat(20)));
    whileIndexing.push(await timed(() => everything.search('number4321', 100)));
    await adding;
  }
  sql.abandon();
  await close(index);
  console.log('\nSearch Everything over 10,000 notes and answers:');
  printTable(
    ['what', 'ms'],
    [
      ['unprepared', unprepared],
      ['preparing', preparing],
      ['others wait for it, at most', Math.max(...waits)],
      ['first once prepared', first],
      ['later, at most', Math.max(...times)],
      ['after a change', after],
      ['while sources are added, at most', Math.max(...whileIndexing)],
    ].map(([what, time]) => [String(what), Number(time).toFixed(1)]),
  );
}

function makeText(n: number): string {
  return (
    Array.from({ length: 180 }, (_, at) => words[(n * 7 + at * (1 + (n % 11))) % words.length]).join(' ') +
    ` number${String(n)}`
  );
}

/** Returns the processor time of this thread in milliseconds, without other programs on the machine. */
async function timed(action: () => unknown): Promise<number> {
  const began = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}
