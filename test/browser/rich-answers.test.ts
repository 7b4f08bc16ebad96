import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { addFile, addPage, answered, readySource, startOver } from './notebook.ts';

const energy = `# Energy

The energy of a body at rest is $E = mc^2$, and a ticket to the lecture costs $5 or $10.

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

A formula that is broken stays as it is written: $\\frac{1$.
`;

const math = (display: string, tex: string): string =>
  `<math display="${display}"><semantics><mi>E</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`;

const lecture = `<!doctype html><html lang="en"><title>The lecture</title><main><h1>The lecture</h1>
<p>A ticket costs $5, or $10 at the door, and whoever comes learns in one evening what ${math('inline', 'E = mc^2')} says
about the energy of a body that does not move at all. The rest of it is ${math('block', '\\frac{a}{b}')}, as it was
written down on the blackboard that evening and left there for the whole of the summer.</p></main></html>`;

const written = [
  'The energy of a body at rest is \\(E = mc^2\\) [1]. ',
  'A ticket costs $5 or $10 [1].\n\n',
  '\\[\n\\int_0^1 x^2 \\, dx ',
  '= \\frac{1}{3}\n\\]\n\n',
  'This one is broken: $\\frac{1$.\n\n',
  '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\cdot \\sqrt{\\sum_{i=1}^{n} x_i} \\in \\mathbb{R}$$\n',
];

const program = 'export function water(litres: number): void {\n  // here\n}\n';

const diagram =
  'graph TD\n  rain[Rain water] --> barrel{Is it full?}\n  barrel -->|yes| tomatoes\n  barrel -->|no| wait\n';

test.use({
  files: { 'energy.md': energy, 'garden.ts': program },
  settings: { 'files.autoSave': 'afterDelay' },
  shared: true,
});

test.describe.configure({ mode: 'default' });

test.beforeEach(({ vscode, model }) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
});

test.beforeEach(({ workbench }, { title }) => startOver(workbench, title));

test('formulas are drawn in answers and in their sources', async ({ workbench, model, site }) => {
  model.reply(() => written);
  await addFile(workbench, 'energy.md');
  const turn = await answered(workbench, 'What is the energy of a body at rest?');
  await expect(turn.locator('.formula .katex-html')).toHaveCount(3);
  await expect(turn.locator('.formula.displayed')).toHaveCount(2);
  await expect(turn.locator('code.tex')).toHaveText('$\\frac{1$');
  await expect(turn.locator('.answer')).toContainText('costs $5 or $10.');
  await workbench.screenshot('formulas-answer');

  site.set({ '/lecture': lecture });
  await addPage(workbench, `${site.url}/lecture`);
  await (await readySource(workbench, 'The lecture')).dblclick();
  const page = await workbench.webview('main.page');
  await expect(page.locator('.formula .katex-html')).toHaveCount(2);
  await expect(workbench.tab('The lecture')).toHaveCount(1);
  await expect(page.locator('article')).toContainText('costs $5, or $10 at the door');
  await workbench.screenshot('formulas-page');
});

test('code is copied and inserted at the cursor, by mouse and by keys', async ({
  workbench,
  model,
  workspace,
}) => {
  model.reply('So it is called [1]:\n\n```ts\nif (isDry) {\n  water(4);\n}\n```\n');
  await addFile(workbench, 'garden.ts');
  const turn = await answered(workbench, 'How is water called?');
  const block = turn.locator('.code-block');
  await expect(block.locator('.language')).toHaveText('ts');
  await expect(block.getByRole('button', { name: 'Insert at cursor: no file is open' })).toBeDisabled();

  await workbench.selectLines('garden.ts', 2, 2);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.press('Shift+End');
  const insert = block.getByRole('button', { name: 'Insert at cursor in garden.ts' });
  await expect(insert).toBeEnabled();
  await workbench.resize(620, 800);
  await workbench.screenshot('code-narrow');
  await insert.focus();
  await workbench.page.keyboard.press('Enter');

  await expect
    .poll(() => readFileSync(join(workspace.folder, 'garden.ts'), 'utf8'))
    .toBe(program.replace('// here', 'if (isDry) {\n    water(4);\n  }'));

  await block.getByRole('button', { name: 'Copy code' }).click();
  await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
  await workbench.screenshot('code');
  await workbench.resize(1400, 900);
});

test('diagrams are drawn on a click, with nothing fetched, and show their source again', async ({
  workbench,
  model,
}) => {
  model.reply(
    `So it flows [1]:\n\n\`\`\`mermaid\n${diagram}\`\`\`\n\nAnd:\n\n\`\`\`mermaid\ngraph TD\n  a -->\n\`\`\`\n`,
  );
  await addFile(workbench, 'energy.md');
  const turn = await answered(workbench, 'What is the energy of a body at rest?');
  const [good, bad] = [turn.locator('.code-block').first(), turn.locator('.code-block').last()];
  await good.getByRole('button', { name: 'Draw diagram' }).click();
  const picture = good.locator('img');
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(100);
  await workbench.screenshot('diagram');
  await good.getByRole('button', { name: 'Show source' }).click();
  await expect(good.locator('pre')).toContainText('rain[Rain water]');
  await bad.getByRole('button', { name: 'Draw diagram' }).click();
  await expect(bad.getByRole('alert')).toHaveText(/^This diagram can’t be drawn: .+[.]$/);
  await workbench.screenshot('diagram-failed');
  await expect(turn.page().locator('.diagram-frame')).toHaveCount(0);
});
