import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { hashWithCaptions } from '../../src/core/domain/recordings.ts';
import { recordingChanges } from '../../src/core/domain/source.ts';
import { contentHash } from '../../src/parsers/content-hash.ts';
import { pack } from '../../src/features/team/service/packed.ts';
import { input, makeFolder } from '../support/opened-notebooks.ts';
import { rawly, type Machine, syncInTurn } from '../support/team.ts';
import { garden, highlight } from '../support/team-garden.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

function write(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return pathToFileURL(file).href;
}

/** Adds a folder of the sender's machine to the team, with documents by their keys. */
async function share(
  { index, roots: [root = ''] }: Machine,
  folder: string,
  documents: Readonly<Record<string, string>>,
): Promise<string> {
  const uri = folder === '' ? root : `${root}/${folder}`;
  const { id } = await index.addSource(folder || 'Everything', { kind: 'folder', uri }, undefined);
  for (const [key, text] of Object.entries(documents))
    await index.putDocument(id, { ...input(text, key), uri: `${uri}/${key}` });
  return id;
}

/** Returns the URIs of a source's documents on a machine, by their keys. */
function urisOf({ index }: Machine, sourceId: string): Record<string, string> {
  return Object.fromEntries(
    index.store.documents
      .stamps(sourceId)
      .map(({ id, key }) => [key, index.store.documents.document(id)?.entry.uri ?? '']),
  );
}

const keysAt = ({ index }: Machine, uri: string): string[] =>
  index.features.annotations
    .of(uri)
    .map(([key]) => key)
    .sort();

/** Returns the keys of all documents whose highlights a member's database contains. */
async function sharedMarks(member: string): Promise<string[]> {
  return rawly(server.administratorOf(member), async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM open_notebook.things WHERE kind = 'annotations' AND value IS NOT NULL",
    );
    return rows.map(({ id }) => id.split('\n')[1] ?? '').sort();
  });
}

test('keeps a file and its highlights private when a row names its path', async () => {
  const { one, two, strings, notebookId } = await garden(server, 'private');
  const own = makeFolder();
  two.roots = [pathToFileURL(own).href];
  const uri = write(own, 'hr/salaries.pdf', 'Ada earns 90,000.');
  two.index.features.annotations.keep(uri, [['mine', highlight(1, 'Too much')]]);
  const guessed = await share(one, 'hr', { 'salaries.pdf': 'Anything.' });
  const known = await share(one, 'hr', { 'salaries.pdf': 'Ada earns 90,000.' });
  await syncInTurn(one, two);
  assert.deepEqual(urisOf(two, guessed), { 'salaries.pdf': '' });
  assert.deepEqual(urisOf(two, known), { 'salaries.pdf': uri });
  // A change of the highlights isn't sent, either.
  two.index.features.annotations.keep(uri, [
    ['mine', highlight(1, 'Far too much')],
    ['later', highlight(2)],
  ]);
  await syncInTurn(two);
  assert.deepEqual(await sharedMarks(strings.ben), ['kitchen.md']);
  // The other member's highlights appear and disappear next to the owner's.
  const put = (wanted: unknown): Promise<unknown> =>
    rawly(strings.ada, (client) =>
      client.query(`SELECT open_notebook.put_thing($1, 'annotations', $2, '', NULL, $3)`, [
        ...[notebookId, `${known}\nsalaries.pdf`, pack({ wanted })],
      ]),
    );
  await put([
    ['theirs', highlight(3)],
    ['mine', highlight(9, 'Changed')],
    ['later', null],
    ['12R', null],
  ]);
  await syncInTurn(two);
  assert.deepEqual(keysAt(two, uri), ['later', 'mine', 'theirs']);
  assert.equal(new Map(two.index.features.annotations.of(uri)).get('mine')?.remark, 'Far too much');
  await rawly(strings.ada, (client) =>
    client.query(`SELECT open_notebook.remove_thing($1, 'annotations', $2)`, [
      ...[notebookId, `${known}\nsalaries.pdf`],
    ]),
  );
  await syncInTurn(two);
  assert.deepEqual(keysAt(two, uri), ['later', 'mine']);
  // Sharing the file also shares its highlights.
  two.index.features.annotations.share(uri);
  await syncInTurn(two, one);
  assert.deepEqual(await sharedMarks(strings.ben), ['kitchen.md', 'salaries.pdf']);
});

test('keeps highlights private that were on a page before a member added it', async () => {
  const { one, two, strings, notebookId } = await garden(server, 'page');
  const url = 'https://wiki.example/plan.pdf';
  await syncInTurn(one, two);
  two.index.features.annotations.keep(url, [['mine', highlight(1)]]);
  const { id } = await one.index.addSource('Plan', { kind: 'page', url }, undefined);
  await one.index.putDocument(id, { ...input('A plan.'), uri: url });
  await syncInTurn(one, two);
  two.index.features.annotations.keep(url, [
    ['mine', highlight(1)],
    ['later', highlight(2)],
  ]);
  await syncInTurn(two, one);
  assert.deepEqual(keysAt(one, url), ['later']);
  await rawly(strings.ada, (client) =>
    client.query(`SELECT open_notebook.remove_thing($1, 'annotations', $2)`, [notebookId, `${id}\n`]),
  );
  await syncInTurn(two);
  assert.deepEqual(keysAt(two, url), ['mine']);
  // The document's text is sent with the highlights in it.
  assert.deepEqual(two.index.features.annotations.listShared(url), []);
});

test('shares speakers’ names and generated chapters, which stay when another member renames the source', async () => {
  const { one, two } = await garden(server, 'speakers');
  const sourceId = await share(one, 'talks', { 'talk.mp3': 'Countess: The ferry leaves at nine.' });
  one.index.store.nameSpeakers(sourceId, { Ada: 'Countess' });
  one.index.store.setChapters(sourceId, 'key', [{ title: 'The ferry', from: 1.5 }]);
  await syncInTurn(one, two);
  const changesOn = ({ index }: Machine): unknown => {
    const origin = index.store.sources().find(({ id }) => id === sourceId)?.origin;
    return origin && recordingChanges(origin);
  };
  const changes = { speakers: { Ada: 'Countess' }, chapters: { key: [{ title: 'The ferry', from: 1.5 }] } };
  assert.deepEqual(changesOn(two), changes);
  two.index.store.renameSource(sourceId, 'Meetings');
  await syncInTurn(two, one);
  assert.equal(one.index.store.sources().find(({ id }) => id === sourceId)?.title, 'Meetings');
  assert.deepEqual(changesOn(one), changes);
  one.index.store.setChapters(sourceId, 'key', []);
  await syncInTurn(one, two);
  assert.deepEqual(changesOn(two), { speakers: { Ada: 'Countess' } });
});

test('opens only files with the same content that reading the folder includes', async () => {
  const { one, two } = await garden(server, 'ignored');
  const own = makeFolder();
  const outside = makeFolder();
  two.roots = [pathToFileURL(own).href];
  write(own, '.gitignore', 'build/\n*.log\n');
  write(own, '.git/HEAD', 'ref: refs/heads/main');
  write(own, 'docs/.notebookignore', 'draft.md\n');
  write(outside, 'elsewhere.md', 'Elsewhere.');
  const texts = {
    '.env': 'KEY=1',
    '.git/config': '[core]',
    '.ssh/id': 'A key.',
    'production.env': 'KEY=2',
    'server.pem': 'A certificate.',
    'node_modules/a/readme.md': 'A package.',
    'build/out.md': 'Built.',
    'a.log': 'Logged.',
    'docs/draft.md': 'A draft.',
    'docs/other.md': 'Other words.',
    'docs/same.md': 'The same words.',
  };
  for (const [path, text] of Object.entries(texts)) write(own, path, text);
  writeFileSync(join(own, 'docs', 'other.md'), 'Words of mine.');
  symlinkSync(join(outside, 'elsewhere.md'), join(own, 'docs', 'link.md'));
  symlinkSync(outside, join(own, 'docs', 'folder'));
  symlinkSync(join(own, '.env'), join(own, 'docs', 'harmless.md'));
  const shared = await share(one, '', {
    ...texts,
    'docs/link.md': 'Elsewhere.',
    'docs/folder/elsewhere.md': 'Elsewhere.',
    'docs/harmless.md': 'KEY=1',
  });
  await syncInTurn(one, two);
  const placed = Object.entries(urisOf(two, shared)).filter(([, uri]) => uri !== '');
  assert.deepEqual(placed, [['docs/same.md', pathToFileURL(join(own, 'docs', 'same.md')).href]]);
});

test('keeps a file private when a row adds it to the owner’s own folder', async () => {
  const { one, two, root } = await garden(server, 'own');
  const [source] = one.index.store.sources();
  assert.ok(source);
  const uri = write(root, 'notes/.env', 'KEY=1');
  const picture = write(root, 'notes/picture.png', 'A picture.');
  one.index.features.annotations.keep(uri, [['a', highlight(1)]]);
  one.index.features.annotations.keep(picture, [['b', highlight(1)]]);
  await syncInTurn(one, two);
  for (const [key, text] of [
    ['.env', 'KEY=1'],
    ['picture.png', 'A picture.'],
  ] as const)
    await two.index.putDocument(source.id, { ...input(text, key), uri: '' });
  await syncInTurn(two, one);
  const uris = urisOf(one, source.id);
  assert.deepEqual([uris['.env'], uris['picture.png']], ['', picture]);
  assert.deepEqual(await sharedMarks(two.connection), ['kitchen.md']);
  one.index.features.annotations.keep(picture, [
    ['b', highlight(1)],
    ['c', highlight(2)],
  ]);
  await syncInTurn(one, two);
  assert.deepEqual(await sharedMarks(two.connection), ['kitchen.md', 'picture.png']);
  await withNotebook(two.directory, (sql) => {
    const rows = sql.all("SELECT value FROM team_things WHERE kind = 'annotations'");
    assert.equal(rows.length, 2);
  });
});

test('ignores the path in a citation of another member’s note', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'cites');
  const own = makeFolder();
  two.roots = [pathToFileURL(own).href];
  write(own, 'secret.md', 'A secret.');
  await syncInTurn(one, two);
  const citation = {
    ...{ number: 1, sourceId: 'a', sourceKind: 'folder', documentId: 1, title: 'A', place: '' },
    ...{ path: 'secret.md', mediaType: 'text/markdown', passage: { start: 0, end: 1 } },
    ...{ span: { start: 0, end: 1 }, quote: 'A', locator: { kind: 'saved', span: { start: 0, end: 1 } } },
  };
  const value = pack({
    ...{ text: 'Words. [1]', createdAt: 1, changedAt: 1, documents: [] },
    citations: [{ id: '0123456789abcdef', citation }],
  });
  await rawly(strings.ada, (client) =>
    client.query('SELECT open_notebook.put_note($1, $2, 0, $3, $4)', [notebookId, 'note', 'Evil', value]),
  );
  await syncInTurn(two);
  assert.deepEqual(
    two.index.features.notes.open('Evil').citations.map(({ citation: { uri } }) => uri),
    [''],
  );
});

test('shares the transcript of a recording, and the recording only by its hash and path', async () => {
  const { one, two, strings } = await garden(server, 'recording');
  const [here, there] = [makeFolder(), makeFolder()];
  one.roots = [pathToFileURL(here).href];
  two.roots = [pathToFileURL(there).href];
  const sound = randomBytes(300_000).toString('base64');
  write(here, 'talks/talk.wav', sound);
  write(there, 'talks/talk.wav', sound);
  write(there, 'talks/other.wav', `${sound} Another talk.`);
  const uri = `${one.roots[0] ?? ''}/talks`;
  const { id } = await one.index.addSource('Talks', { kind: 'folder', uri }, undefined);
  const spoken = {
    starts: Uint32Array.of(0, 27),
    from: Float32Array.of(1, 3),
    to: Float32Array.of(2, 4),
  };
  const text = 'The ferry leaves at nine.\n\nIt returns at noon.';
  for (const name of ['talk.wav', 'other.wav']) {
    const base = input(text, name);
    await one.index.putDocument(id, {
      ...{ ...base, uri: `${uri}/${name}`, size: sound.length + text.length },
      hash: hashWithCaptions(contentHash(Buffer.from(sound)), contentHash(Buffer.from(text))),
      document: { ...base.document, mediaType: 'audio/wav', map: { kind: 'saved', spoken } },
    });
  }
  await syncInTurn(one, two);
  assert.deepEqual(urisOf(two, id), { 'talk.wav': `${two.roots[0] ?? ''}/talks/talk.wav`, 'other.wav': '' });
  for (const stamp of two.index.store.documents.stamps(id)) {
    const document = two.index.store.documents.document(stamp.id);
    assert.ok(document);
    assert.equal(document.text, text);
    assert.deepEqual(document.map, { kind: 'saved', spoken });
  }
  const { rows } = await rawly(server.administratorOf(strings.ada), (client) =>
    client.query<{ bytes: string; places: string }>(
      `SELECT (SELECT sum(octet_length(bytes)) FROM open_notebook.contents)
        + (SELECT sum(octet_length(head)) FROM open_notebook.documents) AS bytes,
        (SELECT count(*) FROM open_notebook.documents WHERE position($1::bytea IN head) > 0) AS places`,
      [Buffer.from(here)],
    ),
  );
  assert.ok(Number(rows[0]?.bytes) < 100_000, rows[0]?.bytes);
  assert.equal(Number(rows[0]?.places), 0);
});
