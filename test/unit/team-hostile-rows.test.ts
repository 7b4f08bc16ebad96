// Tests that a user's earlier highlights stay local and unchanged, whatever rows another member writes in whatever
// order.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { StoredAnnotations } from '../../src/features/pdf/store/stored-annotations.ts';
import { contentHash } from '../../src/parsers/content-hash.ts';
import { pack, unpack } from '../../src/features/team/service/packed.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { close, input, makeFolder, passageSettings, openNew } from '../support/opened-notebooks.ts';
import { highlight } from '../support/team-garden.ts';
import { rounds } from '../support/test-size.mjs';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica } from '../../src/features/team/service/replica.ts';
import { listPendingChanges, markSent } from '../../src/features/team/service/outbox.ts';
import { applySources } from '../../src/features/team/service/local-sources.ts';
import {
  type DocumentRow,
  packDocument,
  markDocumentsSent,
  applyDocuments,
} from '../../src/features/team/service/local-documents.ts';
import { queueMissingFiles, findFiles } from '../../src/features/team/service/document-files.ts';
import {
  packEntity,
  markEntitiesSent,
  applyEntities,
} from '../../src/features/team/service/local-entities.ts';

const SECRET = 'Nobody else reads this';
const PAGE = 'https://wiki.example/plan.pdf';
const PATHS = ['hr/salaries.pdf', '.env', 'notes/picture.png', 'notes/own.md'];
const textOf = (path: string): string => `The content of ${path}.`;
const deeds = { addedBy: 'eve', addedAt: 1, changedBy: 'eve', changedAt: 1 };

async function attack(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[wholeBelow(random, all.length)] as T;
  const root = makeFolder();
  const uriOf = (path: string): string => pathToFileURL(join(root, path)).href;
  for (const path of PATHS) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), textOf(path));
  }
  const { folder, index } = await openNew();
  const own = await index.addSource('Notes', { kind: 'folder', uri: uriOf('notes') }, undefined);
  await index.putDocument(own.id, { ...input(textOf('notes/own.md'), 'own.md'), uri: uriOf('notes/own.md') });
  await close(index);
  const { database } = await openDatabase(folder);
  const sql = new Statements(database);
  sql.transaction(() => sql.insert('team', { only: 1, team_id: 'team', notebook_id: 'notebook' }));
  const annotations = new StoredAnnotations(sql);
  // The user shares only the folder with its documents.
  const secret = [...PATHS.filter((path) => path !== 'notes/own.md').map(uriOf), PAGE];
  for (const uri of secret) annotations.keep(uri, [['before', highlight(1, SECRET)]]);
  annotations.keep(uriOf('notes/own.md'), [['own', highlight(1, 'Shared')]]);
  let replica = openReplica(sql, [pathToFileURL(root).href], passageSettings, NO_LIMITS);
  const template = packDocument(replica, `${own.id}\nown.md`)?.content as NonNullable<DocumentRow['content']>;
  const [head, sent]: [Record<string, unknown>, string[]] = [unpack(template.head), []];
  const ids = [own.id, 'eve1', 'eve2'];
  const keys = ['', 'own.md', 'picture.png', '.env', 'salaries.pdf', 'hr/salaries.pdf'];
  let revision = 0;
  const actions: (() => unknown)[] = [
    () => {
      const [id, path] = [pick(ids), pick(['hr', 'hr', 'hr/salaries.pdf', '.'])];
      const isPage = random() < (id === 'eve2' ? 0.9 : 0.1);
      const origin = isPage ? { kind: 'page', url: PAGE } : { kind: pick(['file', 'folder']), path };
      const skipped = { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 };
      const line = { type: 'source', id, title: 'A', origin, addedAt: 1, skipped };
      const value = random() < 0.05 ? undefined : pack(line);
      applySources(replica, [{ id, revision: ++revision, value, ...deeds }]);
    },
    ...Array<() => void>(3).fill(() => {
      const [sourceId, path] = [pick(ids), pick([...PATHS, 'hr/salaries.pdf', 'hr/salaries.pdf'])];
      const key = pick(['', path, path.slice(path.indexOf('/') + 1)]);
      const text = textOf(random() < 0.9 ? path : pick(PATHS));
      const file = { hash: contentHash(Buffer.from(text)), size: text.length };
      const row = { ...head, key, ...file, url: pick(['', PAGE]) };
      const content = random() < 0.15 ? undefined : { ...template, head: pack(row) };
      applyDocuments(replica, [{ sourceId, key, revision: ++revision, content }]);
    }),
    ...Array<() => void>(2).fill(() => {
      const wanted = ['before', 'own', 'mine', 'eve', '12R'].flatMap((key) =>
        random() < 0.5 ? [] : [[key, random() < 0.3 ? null : highlight(1, 'Of Eve')]],
      );
      const value = random() < 0.3 ? undefined : pack({ wanted });
      const id = `${pick(ids)}\n${pick(keys)}`;
      const row = { kind: 'annotations' as const, id, within: '', isOwn: false, ...deeds };
      applyEntities(replica, [{ ...row, revision: ++revision, value }]);
    }),
    ...Array<() => unknown>(3).fill(() => findFiles(replica)),
    () => {
      replica = openReplica(sql, [pathToFileURL(root).href], passageSettings, NO_LIMITS);
      queueMissingFiles(replica);
    },
    () => {
      const uri = pick([...PATHS.map(uriOf), PAGE]);
      const others = annotations.of(uri).filter(([key]) => key !== 'mine');
      annotations.keep(uri, [...others, ['mine', highlight(2, `Mine ${String(revision)}`)]]);
    },
    ...Array<() => void>(2).fill(() => {
      for (const { number, kind, id } of listPendingChanges(replica)) {
        if (kind === 'document') markDocumentsSent(replica, [number], [{ id, stamp: String(number) }]);
        if (kind !== 'annotations') continue;
        const entity = packEntity(replica, kind, id);
        if (entity?.value === undefined) markSent(replica, [number]);
        else {
          sent.push(JSON.stringify(unpack(entity.value)));
          markEntitiesSent(replica, [{ number, kind, entity, revision: ++revision }]);
        }
      }
    }),
  ];
  for (let step = 0; step < 100; step++) await pick(actions)();
  sql.close();
  const { database: later } = await openDatabase(folder);
  const stored = new StoredAnnotations(new Statements(later));
  for (const uri of secret)
    assert.equal(new Map(stored.of(uri)).get('before')?.remark, SECRET, `seed ${String(seed)}: ${uri}`);
  for (const text of sent) assert.ok(!text.includes(SECRET), `seed ${String(seed)}: ${text}`);
  const secretUri = uriOf('.env');
  assert.equal(new Statements(later).get('SELECT 1 FROM documents WHERE uri = ?', secretUri), undefined);
  later.close();
}

test('keeps earlier highlights and hidden files private whatever another member writes', async () => {
  for (let seed = 1; seed <= rounds(12, 60); seed++) await attack(seed);
});
