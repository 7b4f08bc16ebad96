// Syncs a team notebook in a separate process that a test kills or gives a wrong clock. Prints each state on a line.
import type { EmbeddingModel } from '../../src/core/domain/settings.ts';

export interface Work {
  readonly connection: string;
  readonly directory: string;
  /** Offset of the machine's clock, in milliseconds. */
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
const { withNotebook } = await import('../../src/index/library/with-notebook-db.ts');
const { Notes } = await import('../../src/features/notes/store/notes.ts');
const { LOST_OPTIONS } = await import('../../src/features/research/store/stored-json.ts');
const { syncNotebook: follow } = await import('../../src/features/team/service/sync-notebook.ts');
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
