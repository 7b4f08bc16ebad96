import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { doAsUser, OPTIONS, planWith, makeStep } from '../support/made-boards.ts';
import { input } from '../support/opened-notebooks.ts';
import { goOnline, type Machine } from '../support/team.ts';
import { citing, garden, highlight } from '../support/team-garden.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

/** Changes both notebooks while they are offline, sends the first one's changes first, and waits until both are equal. */
async function apart(one: Machine, two: Machine, first: () => unknown, second: () => unknown): Promise<void> {
  for (const machine of [one, two]) await machine.settled();
  for (const machine of [one, two]) await machine.goOffline();
  await first();
  await second();
  one.goOnline();
  await one.settled();
  two.goOnline();
  await two.settled();
  await one.untilEqual(two);
}

test('keeps both comments on a highlight that two members change at once', async () => {
  const { one, two, root } = await garden(server, 'remark');
  const uri = pathToFileURL(join(root, 'notes', 'garden.md')).href;
  mkdirSync(join(root, 'notes'));
  writeFileSync(join(root, 'notes', 'garden.md'), 'Tomatoes are watered with rainwater from the barrel.');
  two.roots = one.roots;
  one.goOnline();
  two.goOnline();
  await two.until(
    'the file is there',
    () => two.index.store.counts().documents === 2 && citing(two.index, 'rainwater').uri === uri,
  );
  const marked = (machine: Machine): Record<string, string | undefined> =>
    Object.fromEntries(machine.index.features.annotations.of(uri).map(([key, mark]) => [key, mark?.remark]));
  one.index.features.annotations.keep(
    uri,
    ['a', 'b', 'c'].map((key) => [key, highlight(1, 'First')]),
  );
  await two.until('the marks are there', () => Object.keys(marked(two)).length === 3);
  two.index.features.annotations.share(uri);
  await apart(
    one,
    two,
    () => {
      one.index.features.annotations.keep(uri, [
        ['a', highlight(1, 'Ada’s')],
        ['b', { ...highlight(1, 'First'), colour: '#a3e58f' }],
      ]);
    },
    () => {
      two.index.features.annotations.keep(uri, [
        ['a', highlight(1, 'Ben’s')],
        ['b', highlight(1, 'Ben’s')],
        ['c', highlight(1, 'Still used')],
      ]);
    },
  );
  for (const machine of [one, two]) {
    await machine.until('both remarks are there', () => marked(machine).a === 'Ada’s\n\nBen’s');
    assert.deepEqual(marked(machine), { a: 'Ada’s\n\nBen’s', b: 'Ben’s', c: 'Still used' });
    assert.equal(new Map(machine.index.features.annotations.of(uri)).get('b')?.colour, '#a3e58f');
  }
});

test('keeps earlier highlights private until their owner shares the file', async () => {
  const { one, two, root } = await garden(server, 'marked');
  mkdirSync(join(root, 'notes'));
  const uri = pathToFileURL(join(root, 'notes', 'shed.md')).href;
  writeFileSync(join(root, 'notes', 'shed.md'), 'The spade hangs behind the door.');
  two.roots = one.roots;
  await goOnline([one, two], 2);
  one.index.features.annotations.keep(uri, [['a', highlight(1, 'Ada’s')]]);
  two.index.features.annotations.keep(uri, [['b', highlight(2, 'Ben’s')]]);
  for (const machine of [one, two]) await machine.settled();
  const [source] = one.index.store.sources();
  await one.index.putDocument(source?.id ?? '', {
    ...input('The spade hangs behind the door.', 'shed.md'),
    uri,
  });
  const hasBoth = ({ index }: Machine): boolean => {
    const keys = index.features.annotations.of(uri).map(([key]) => key);
    return keys.sort().join('') === 'ab';
  };
  await two.until('both marks are there', () => hasBoth(two));
  for (const machine of [two, one]) await machine.settled();
  assert.ok(!hasBoth(one));
  two.index.features.annotations.share(uri);
  await one.until('both marks are there', () => hasBoth(one));

  // A member with only a copy of a source who renames it removes nobody's files.
  two.index.store.renameSource(source?.id ?? '', 'Beds');
  await one.until('it is named so', () => one.index.store.sources()[0]?.title === 'Beds');
  for (const machine of [one, two]) {
    await machine.settled();
    await machine.goOffline();
    machine.goOnline();
    await machine.settled();
    assert.equal(citing(machine.index, 'spade').uri, uri);
  }
});

test('keeps both goals, plans, and results when two members change a research project at once', async () => {
  const { one, two } = await garden(server, 'plans');
  await goOnline([one, two], 2);
  const [board, there] = [one.index.features.researches.board, two.index.features.researches.board];
  const bounds = { tokens: 10_000, requests: 10, toolCalls: 10 };
  const { researchId } = board.addResearch({ goal: 'Find out', bounds, options: OPTIONS });
  board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b')), basedOn: 0 });
  board.changeResearch({ researchId, state: 'paused' });
  await two.until('the plan is there', () => there.research({ researchId })?.steps.length === 2);
  const edit = (by: typeof board, ...steps: ReturnType<typeof makeStep>[]): void => {
    by.setPlan({
      researchId,
      plan: planWith(...steps),
      basedOn: by.research({ researchId })?.planVersion ?? 0,
    });
  };
  const remarks = (by: typeof board): string[] =>
    (by.research({ researchId })?.comments ?? []).map(({ text }) => text);
  const stepIds = (by: typeof board): string =>
    (by.research({ researchId })?.steps ?? []).map(({ id }) => id).join('');
  await apart(
    one,
    two,
    () => {
      board.changeResearch({ researchId, goal: 'Find out when' });
      edit(board, makeStep('a'), makeStep('c'));
      doAsUser(board, researchId, 'a', 'Rainwater of ada.');
      doAsUser(board, researchId, 'c', 'Compost of ada.');
    },
    () => {
      there.changeResearch({ researchId, goal: 'Find out where' });
      doAsUser(there, researchId, 'a', 'Rainwater of ben.');
      edit(there, makeStep('a'), makeStep('b'), makeStep('d'));
    },
  );
  for (const by of [board, there]) {
    assert.equal(stepIds(by), 'abd');
    assert.equal(by.research({ researchId })?.goal, 'Find out where');
    const remarkText = remarks(by).join('\n\n');
    assert.match(remarkText, /plansada changed the goal at the same time\. Their version: Find out when/);
    assert.match(
      remarkText,
      /plansada changed the plan at the same time\. Their version: \n1\. find: Find a\n2\. find: Find c/,
    );
    assert.match(remarkText, /This result belongs to a step that’s no longer in the plan: Compost of ada\./);
    assert.equal(by.product({ researchId, productId: 'a product' })?.text, 'Rainwater of ada.');
  }
  assert.equal(there.research({ researchId })?.steps[0]?.draft, 'Rainwater of ben.');
  there.stepPlan({ researchId, by: -1 });
  await two.settled();
  await one.until('the other plan is in use', () => stepIds(board) === 'ac');
  await one.untilEqual(two);

  assert.equal(there.product({ researchId, productId: 'c product' })?.text, 'Compost of ada.');
  const revise = (by: typeof board, productId: string, text: string): void => {
    const product = by.product({ researchId, productId });
    if (product) by.putProduct({ researchId, product: { ...product, text } });
  };
  await apart(
    one,
    two,
    () => {
      revise(board, 'a product', 'Rain of ada.');
    },
    () => {
      revise(there, 'a product', 'Rain of ben.');
    },
  );
  for (const by of [board, there])
    assert.equal(by.product({ researchId, productId: 'a product' })?.text, 'Rain of ada.\n\nRain of ben.');
  await apart(
    one,
    two,
    () => {
      revise(board, 'a product', 'Rain at last.');
    },
    () => {
      there.redoStep({ researchId, stepId: 'a' });
    },
  );
  for (const by of [board, there])
    assert.equal(by.product({ researchId, productId: 'a product' })?.text, 'Rain at last.');

  // A removed project comes back complete if another member changed it at the same time.
  await apart(
    one,
    two,
    () => {
      board.removeResearch({ researchId });
    },
    () => {
      revise(there, 'c product', 'Compost at last.');
    },
  );
  assert.equal(board.product({ researchId, productId: 'c product' })?.text, 'Compost at last.');
  assert.equal(board.product({ researchId, productId: 'a product' })?.text, 'Rain at last.');
});

test('keeps the results of a research project that one member removes while another one changes it', async () => {
  const { one, two } = await garden(server, 'removal');
  await goOnline([one, two], 2);
  const [board, there] = [one.index.features.researches.board, two.index.features.researches.board];
  const bounds = { tokens: 10_000, requests: 10, toolCalls: 10 };
  const { researchId } = board.addResearch({ goal: 'Find out', bounds, options: OPTIONS });
  board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b')), basedOn: 0 });
  board.changeResearch({ researchId, state: 'paused' });
  doAsUser(board, researchId, 'a', 'Rainwater of ada.');
  doAsUser(board, researchId, 'b', 'Compost of ada.');
  const product = await two.until('the results are there', () =>
    there.product({ researchId, productId: 'b product' }),
  );
  await apart(
    one,
    two,
    () => {
      board.removeResearch({ researchId });
    },
    () => {
      there.putProduct({ researchId, product: { ...product, text: 'Compost at last.' } });
    },
  );
  assert.equal(board.product({ researchId, productId: 'a product' })?.text, 'Rainwater of ada.');
  assert.equal(board.product({ researchId, productId: 'b product' })?.text, 'Compost at last.');
});
