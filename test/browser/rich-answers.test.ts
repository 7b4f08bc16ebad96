import { expect, test } from './fixtures.ts';
import { addPage, answered, readySource } from './notebook.ts';

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

test.use({ files: { 'energy.md': energy } });

test('formulas are drawn in answers and in their sources', async ({ vscode, model, site, workspace }) => {
  vscode.set({ 'openNotebook.model.baseUrl': model.baseUrl, 'openNotebook.model.name': 'scripted-1' });
  model.reply(() => written);
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu('energy.md', 'Add to Notebook');
  await readySource(workbench, 'energy.md');
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
