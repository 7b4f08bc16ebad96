// Saves one note again and again in the given folder, and reports each saved text, until killed.
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Notes } from '../../src/features/notes/store/notes.ts';
import { Statements } from '../../src/index/store/database/statements.ts';

const { folder } = JSON.parse(process.argv[2] ?? '') as { readonly folder: string };
const { database } = await openDatabase(folder);
const notes = new Notes(new Statements(database));
process.stdin.resume().on('end', () => process.exit());
for (let count = 0; ; count++) {
  const text = `${String(count)} `.repeat(2_000);
  notes.write('Kept', text, { create: true, overwrite: true });
  process.stdout.write(`${JSON.stringify({ text })}\n`);
  await new Promise(setImmediate);
}
