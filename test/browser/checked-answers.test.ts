import { makeGate } from '../support/gate.ts';
import { expect, test } from './fixtures.ts';
import { answered, ask, readySource, findTurn } from './notebook.ts';

const cities = [
  'Lisbon',
  'Oslo',
  'Vienna',
  'Madrid',
  'Dublin',
  'Prague',
  'Athens',
  'Warsaw',
  'Zagreb',
  'Riga',
];
const facts = Array.from({ length: 40 }, (_, i) => {
  const city = cities[i % cities.length] ?? '';
  return `The tram of line ${String(i + 1)} in ${city} carries ${String(1_000 + 37 * i)} passengers a day.`;
});
const garden =
  'Tomatoes are watered every second morning with rainwater from the barrel behind the shed.\n\n' +
  'The compost is turned in March and in October, and never in the frost.\n';

test.use({
  files: { 'garden.md': `# The garden\n\n${garden}`, 'trams.md': `# Trams\n\n${facts.join('\n\n')}\n` },
});

test('the words of a sentence that were not found are dotted alone, and told to those who hover or listen', async ({
  vscode,
  model,
  workspace,
}) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  model.reply(
    'The passages do not say who built the shed, but tomatoes are watered every second morning [1]. ' +
      'The compost is turned in March and in October, while penguins swim around icebergs [1]. ' +
      'Tomatoes are watered with rainwater from the barrel [1].',
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  const turn = await answered(workbench, 'When is the compost turned, when are tomatoes watered?');

  const dotted = turn.locator('.statement.partly');
  await expect(dotted).toHaveCount(1);
  await expect(dotted).toContainText('while penguins swim around icebergs');
  await expect(dotted).not.toContainText('compost');
  await expect(dotted).toHaveCSS('text-decoration-style', 'dotted');
  await expect(dotted).toHaveAttribute('title', 'Not found in the sources');
  const found = turn.locator('.statement', { hasText: 'The compost is turned' });
  await expect(found).toHaveCSS('text-decoration-line', 'none');
  await expect(
    turn.getByText('(not found in the sources: while penguins swim around icebergs)'),
  ).toBeAttached();
  await expect(turn.getByRole('button', { name: /^Citation 1: .*partly supported$/ })).toHaveCount(1);
  await expect(turn.locator('.chip')).toHaveCount(3);
  await dotted.hover();
  await workbench.screenshot('words-not-found');
});

test('where it is set, the model is asked about the doubtful sentences of every answer', async ({
  vscode,
  model,
  workspace,
}) => {
  vscode.set({
    'openNotebook.model.baseUrl': model.baseUrl,
    'openNotebook.model.name': 'scripted-1',
    'openNotebook.answer.check': true,
  });
  model.reply(({ messages }) =>
    messages[0]?.content.includes('You check whether') === true
      ? '1 CONTRADICTED 1\n2 NOT FOUND'
      : 'Ice halts all work on the heap [1]. Its lid is painted blue [1]. Tomatoes are watered every second morning [1].',
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('garden.md', 'Add to Notebook');
  await readySource(workbench, 'garden.md');
  const turn = await answered(workbench, 'When are tomatoes watered?');
  await expect(turn.locator('.summary')).toContainText('2 checked by scripted-1');
  await expect(turn.locator('.statement.contradicted')).toContainText('Ice halts');
  expect(model.chats).toHaveLength(2);
});

test(
  'a long answer with forty citations streams without stalls',
  { tag: '@alone' },
  async ({ vscode, model, workspace }) => {
    vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
    const gate = makeGate();
    const said = (from: number, to: number): string[] =>
      facts.slice(from, to).flatMap((fact, i) => {
        const sentence = `${fact.slice(0, -1)} [1]. `;
        const paragraph = i % 5 === 4 ? `${sentence.trimEnd()}\n\n` : sentence;
        return paragraph.match(/\S+\s*/g) ?? [];
      });
    model.reply(() => [...said(0, 20), gate, ...said(20, 40)]);
    const workbench = await vscode.open(workspace.folder);
    await workbench.explorerMenu('trams.md', 'Add to Notebook');
    await readySource(workbench, 'trams.md');
    const panel = await ask(workbench, 'How many passengers do the trams carry a day?');
    const turn = findTurn(panel, 'How many passengers');
    await gate.reached;
    // What was said is checked and cited while more is awaited.
    await expect(turn.locator('.chip')).not.toHaveCount(0);
    await expect.poll(() => turn.locator('.chip').count()).toBeGreaterThanOrEqual(19);
    const log = panel.getByRole('log');
    await log.evaluate(() => {
      const watch = { longest: 0, last: performance.now() };
      Object.assign(window, { watch });
      const next = (): void => {
        const now = performance.now();
        watch.longest = Math.max(watch.longest, now - watch.last);
        watch.last = now;
        requestAnimationFrame(next);
      };
      next();
    });
    gate.open();
    await expect(turn.locator('footer')).toBeVisible();
    await expect(turn.locator('.chip')).toHaveCount(40);
    await expect(turn.locator('.summary')).toContainText('40 of 40 statements found');
    const longest = await log.evaluate(
      () => (window as unknown as { watch: { longest: number } }).watch.longest,
    );
    // Frames are late where the machine is busy; what blocks the page takes longer.
    expect(longest).toBeLessThan(1_000);
    await workbench.screenshot('forty-citations');
  },
);
