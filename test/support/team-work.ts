// Follows a team's notebook in a process of its own, which a test kills or gives a wrong clock. Tells each state in a line.
import type { EmbeddingModel } from '../../src/notebook/settings.ts';

export interface Work {
  readonly connection: string;
  readonly directory: string;
  /** How much the machine's clock is ahead, in milliseconds. */
  readonly ahead?: number;
  /** The title of a note that is written first. */
  readonly note?: string;
  readonly embeddings?: EmbeddingModel;
}

const { connection, directory, ahead = 0, note, embeddings } = JSON.parse(process.argv[2] ?? '') as Work;
const now = Date.now;
Date.now = () => now() + ahead;

process.stdin.on('end', () => process.exit());
process.stdin.resume();
const { withNotebook } = await import('../../src/indexing/library/opened.ts');
const { Notes } = await import('../../src/indexing/store/notes/notes.ts');
const { LOST_OPTIONS } = await import('../../src/indexing/store/database/stored-research.ts');
const { follow } = await import('../../src/team/follow.ts');
if (note !== undefined)
  await withNotebook(directory, (sql) =>
    new Notes(sql).add({ title: note, text: `${note} is kept.\n`, citations: [] }),
  );
const passages = { size: 500, overlap: 50 };
const limits = { bounds: {}, options: LOST_OPTIONS };
await follow(
  { connection, directory, roots: [], passages, embeddings, limits },
  (state) => void process.stdout.write(`${JSON.stringify(state)}\n`),
  new AbortController().signal,
);
