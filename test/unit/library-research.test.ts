import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { exportedResearches } from '../../src/features/research/store/portable-research.ts';
import { openDatabaseToRead } from '../../src/index/store/database/database.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { libraryHandlers } from '../../src/index/library/library-handlers.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { Source } from '../../src/core/domain/source.ts';
import {
  importOptions,
  changed,
  citationIn,
  context,
  exported,
  fails,
  imported,
} from '../support/exported-notebooks.ts';
import {
  HOLD,
  OPTIONS,
  planWith,
  makeProduct,
  statesIn,
  makeStep,
  USER,
  takeStep,
} from '../support/made-boards.ts';
import { close, input, makeFolder, open, researchLimits } from '../support/opened-notebooks.ts';

const text = 'The lamp is lit at nine.';

/** Fills a notebook with a research project about one source, with a finished, a claimed, and a waiting step. */
async function createNotebook(
  folder: string,
): Promise<{ index: NotebookIndex; source: Source; researchId: string; root: string }> {
  const root = makeFolder();
  const uri = pathToFileURL(join(root, 'lamp.txt')).href;
  writeFileSync(join(root, 'lamp.txt'), text);
  const index = await open(folder);
  const source = await index.addSource('lamp.txt', { kind: 'file', uri }, { ...input(text), uri });
  const { board } = index.features.researches;
  const { researchId } = board.addResearch({
    ...{ goal: 'Find out about the lamp', bounds: { tokens: 5_000 } },
    scope: { kind: 'sources', sourceIds: [source.id], mentioned: false },
    options: { ...OPTIONS, tools: ['shell'] },
  });
  const plan = planWith(makeStep('a', [`source:${source.id}`]), makeStep('b'), makeStep('c', ['a', 'b']));
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  const { token = '' } = takeStep(board, researchId) ?? {};
  const documentId = index.store.documents.ofSource(source.id)[0]?.id ?? 0;
  board.submitStep({
    token,
    product: {
      ...makeProduct('At nine.'),
      citations: [citationIn(index, documentId, 4, 8)],
      statements: [{ start: 0, end: 8, verdict: 'supported', citations: [0] }],
    },
  });
  board.claimStep({ researchId, holder: USER, hold: HOLD });
  board.draftStep({ researchId, stepId: 'b', draft: 'As far as' });
  board.commentPlan({ researchId, stepId: 'c', text: 'Short, please.' });
  board.spend({ researchId, usage: { input: 10, output: 2, estimated: 0 }, requests: 1 });
  board.record({ researchId, event: { kind: 'deed', deed: 'Secret.', by: USER } });
  return { index, source, researchId, root };
}

test('exports research projects without claims on their steps', async () => {
  const from = makeFolder();
  const { index, source, researchId, root } = await createNotebook(from);
  const before = index.features.researches.board.research({ researchId });
  const product = index.features.researches.board.product({ researchId, productId: 'a product' });
  await close(index);
  const path = await exported(from, [pathToFileURL(root).href]);
  const target = await imported(path, [pathToFileURL(root).href]);
  const { board } = target.features.researches;
  const research = board.research({ researchId });
  assert.ok(research && before);
  assert.equal(research.state, 'paused');
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready', c: 'blocked' });
  assert.equal(research.steps[1]?.draft, 'As far as');
  // The limits are those of the machine that pays.
  assert.deepEqual([research.bounds, research.options], [researchLimits.bounds, researchLimits.options]);
  for (const name of ['goal', 'scope', 'spent', 'parts', 'createdAt', 'changedAt'] as const)
    assert.deepEqual(JSON.parse(JSON.stringify(research[name])), before[name], name);
  assert.deepEqual(
    research.comments.map((comment) => comment.text),
    ['Short, please.'],
  );
  const came = board.product({ researchId, productId: 'a product' });
  assert.equal(came?.text, product?.text);
  assert.deepEqual(came?.statements, product?.statements);
  const [citation] = came?.citations ?? [];
  assert.equal(citation?.sourceId, source.id);
  assert.equal(target.cited.find(citation).kind, 'found');
  assert.deepEqual(board.records({ researchId }), []);
  board.changeResearch({ researchId, state: 'running' });
  assert.equal(takeStep(board, researchId)?.step.id, 'b');
});

test('exports research projects in the form that earlier versions read', async () => {
  const from = makeFolder();
  const { index, source, researchId } = await createNotebook(from);
  const project = index.features.researches.board.research({ researchId });
  const [comment] = project?.comments ?? [];
  await close(index);
  const step = { action: 'find', tools: ['search'], quantity: -1 };
  changed(await exported(from), ([head]) => {
    const researches = head?.researches as string[];
    assert.deepEqual(
      researches.map((json) => JSON.parse(json) as unknown),
      [
        {
          ...{ id: researchId, goal: 'Find out about the lamp', drafts: { b: 'As far as' } },
          ...{ createdAt: project?.createdAt, changedAt: project?.changedAt, bounds: { tokens: 5_000 } },
          spent: { dollars: 0, tokens: 12, time: 0, requests: 1, toolCalls: 0 },
          scope: { kind: 'sources', sourceIds: [source.id], mentioned: false },
          options: { approves: true, keepsUnsupported: false, workers: 2 },
          comments: [
            {
              ...{ id: comment?.id, stepId: 'c', text: 'Short, please.' },
              ...{ writtenAt: comment?.writtenAt, isHeard: false },
            },
          ],
          plan: {
            steps: [
              {
                ...step,
                id: 'a',
                target: 'Find a',
                materials: [`source:${source.id}`],
                produces: 'a product',
              },
              { ...step, id: 'b', target: 'Find b', materials: [], produces: 'b product' },
              {
                ...{ ...step, id: 'c', target: 'Find c', materials: ['a product', 'b product'] },
                produces: 'c product',
              },
            ],
            parts: [{ text: 'All of it', product: 'c product' }],
          },
          products: [
            {
              ...{ id: 'a product', stepId: 'a', madeBy: { kind: 'model', name: 'Worker 1' }, madeAt: 1 },
              check: { claims: 0, supported: 0, partly: 0, cut: [] },
              cited: {
                text: 'At nine.',
                statements: [{ start: 0, end: 8, verdict: 'supported', citations: [0] }],
                citations: [
                  {
                    ...{ number: 1, sourceId: source.id, sourceKind: 'file', documentId: 1 },
                    ...{ title: 'lamp.txt', mediaType: 'text/plain', place: 'L1', url: '', quote: 'lamp' },
                    ...{ passage: { start: 4, end: 8 }, span: { start: 4, end: 8 } },
                    context: { before: 'The ', after: ' is lit at nine.', format: 'prose' },
                    locator: {
                      kind: 'lines',
                      start: { line: 0, character: 4 },
                      end: { line: 0, character: 8 },
                    },
                  },
                ],
              },
            },
          ],
        },
      ],
    );
  });
});

test('skips research projects in a version that doesn’t support them', async () => {
  const from = makeFolder();
  await close((await createNotebook(from)).index);
  const path = await exported(from);
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  const [head, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  // An old version knows these line types, and the format and version in the head.
  assert.equal(head?.version, 1);
  assert.deepEqual([...new Set(others.map(({ type }) => type))], ['source', 'document', 'end']);
  const [json] = head.researches as string[];
  assert.ok(
    json !== undefined && !json.includes('Secret') && !json.includes('shell') && !json.includes('here'),
  );
  // A file without them is still read.
  const index = await imported(changed(path, ([first]) => delete first?.researches));
  assert.deepEqual(index.features.researches.board.researches(), []);
});

/** Fields of an exported research project that the tests corrupt. */
interface Exported {
  id: string;
  readonly plan: { readonly steps: [unknown, { id: string }] };
  readonly products: [
    {
      readonly cited: {
        readonly statements: [{ end: number; citations: number[] }];
        readonly citations: [object];
      };
    },
  ];
}

test('rejects an import with an invalid research project', async () => {
  const from = makeFolder();
  await close((await createNotebook(from)).index);
  const path = await exported(from);
  const [json = ''] = (
    JSON.parse(gunzipSync(readFileSync(path)).toString().split('\n')[0] ?? '') as { researches: string[] }
  ).researches;
  const other = (change: (research: Exported) => void): string => {
    const research = JSON.parse(json) as Exported;
    change(research);
    return changed(path, ([head]) => Object.assign(head ?? {}, { researches: [JSON.stringify(research)] }));
  };
  for (const bad of [
    changed(path, ([head]) => Object.assign(head ?? {}, { researches: ['{'] })),
    changed(path, ([head]) => Object.assign(head ?? {}, { researches: [json, json] })),
    changed(path, ([head]) => Object.assign(head ?? {}, { researches: ['['.repeat(100)] })),
    other((research) => (research.id = '../../etc')),
    other((research) => (research.plan.steps[1].id = 'a')),
    other((research) => (research.products[0].cited.statements[0].end = 900)),
    other((research) => (research.products[0].cited.statements[0].citations = [7])),
    other((research) => Object.assign(research.products[0].cited.citations[0], { locator: undefined })),
  ])
    await assert.rejects(imported(bad), (error) => fails('damaged')(error) || fails('unsupported')(error));
});

test('adds research projects to a notebook with renamed sources, and removes them again', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const { index, researchId, root } = await createNotebook(from);
  await close(index);
  const roots = [pathToFileURL(root).href];
  const target = await open(to);
  await target.addSource('First', { kind: 'text' }, input('Cellars stay cool in summer.'));
  const uri = pathToFileURL(join(root, 'lamp.txt')).href;
  const own = await target.addSource('Own', { kind: 'file', uri }, { ...input(text), uri });
  const path = await exported(from, roots);
  const followed = [{ kind: 'file' as const, path: 'lamp.txt', uri, within: roots[0] ?? '' }];
  const merge = async () => {
    const how = { ...importOptions, path, by: makeFolder(), to, roots, followed };
    const added = await libraryHandlers.mergeNotebook(how, context);
    await target.followOthers();
    return added;
  };
  const added = await merge();
  assert.deepEqual(
    added.entities.researches?.map(({ id }) => id),
    [researchId],
  );
  assert.deepEqual(target.features.researches.changes.takeChanged(), [researchId]);
  const { board } = target.features.researches;
  const research = board.research({ researchId });
  assert.deepEqual(research?.scope, { kind: 'sources', sourceIds: [own.id], mentioned: false });
  assert.deepEqual(research.steps[0]?.materials, [`source:${own.id}`]);
  const [citation] = board.product({ researchId, productId: 'a product' })?.citations ?? [];
  assert.equal(citation?.sourceId, own.id);
  assert.equal(target.cited.find(citation).kind, 'found');
  assert.deepEqual((await merge()).entities.researches, []);
  await libraryHandlers.unmergeNotebook({ from: to, added }, context);
  assert.deepEqual(board.researches(), []);
  const again = await merge();
  board.commentPlan({ researchId, text: 'Mine.' });
  await libraryHandlers.unmergeNotebook({ from: to, added: again }, context);
  assert.equal(board.researches().length, 1);
});

test('runs no research project in a copy of a notebook', async () => {
  const [from, to] = [makeFolder(), makeFolder()];
  const { index, researchId } = await createNotebook(from);
  await libraryHandlers.duplicate({ from, to }, context);
  assert.deepEqual(statesIn(index.features.researches.board, researchId), {
    a: 'done',
    b: 'in-progress',
    c: 'blocked',
  });
  const { board } = (await open(to)).features.researches;
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready', c: 'blocked' });
  assert.equal(board.research({ researchId })?.state, 'paused');
  assert.deepEqual(board.records({ researchId }), index.features.researches.board.records({ researchId }));
});

test('names the research projects that don’t fit in an export, and exports the others', async () => {
  const from = makeFolder();
  const { index, researchId } = await createNotebook(from);
  const { board } = index.features.researches;
  const small = board.addResearch({ goal: 'A small one', bounds: {}, options: OPTIONS });
  board.draftStep({ researchId, stepId: 'b', draft: 'As far as it goes. '.repeat(1_000) });
  const { database } = await openDatabaseToRead(from);
  const sql = new Statements(database);
  const all = exportedResearches(sql, []);
  assert.deepEqual([all.exported.length, all.leftOut], [2, []]);
  const { exported: parts, leftOut } = exportedResearches(sql, [], 5_000);
  assert.deepEqual(leftOut, ['Find out about the lamp']);
  assert.deepEqual(
    parts.map((json) => (JSON.parse(json) as { id: string }).id),
    [small.researchId],
  );
  sql.abandon();
  await close(index);
});
