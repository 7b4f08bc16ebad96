import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { root } from '../support/paths.mjs';
import { chatHost, makeTurn, makeWrittenAnswer } from './chat-host.ts';
import { expect, test } from './fixtures.ts';
import type { HostScript, NotifyingScript } from './page-host.ts';

const CODE = 'if (isDry) {\n  water(4);\n}';

/** Answers a chat with one answer in Markdown. */
function answerHost(
  text: string,
  script: HostScript<'chat'> = {},
  insertTarget?: string,
): NotifyingScript<'chat'> {
  const turn = makeTurn({ answer: makeWrittenAnswer([text]) });
  return chatHost(
    { turns: [turn], ...(insertTarget === undefined ? {} : { insertTarget }) },
    { copy: () => undefined, ...script },
  );
}

test.describe('Formula of an answer', () => {
  test('is drawn, and stays as written if broken', async ({ page, show }) => {
    await show(
      'chat',
      answerHost(
        'The energy is \\(E = mc^2\\). A ticket costs $5 or $10.\n\n' +
          '\\[\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n\\]\n\n' +
          'This one is broken: $\\frac{1$.\n\n' +
          '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\in \\mathbb{R}$$\n',
      ),
    );
    const answer = page.locator('.answer');
    await expect(answer.locator('.formula .katex-html')).toHaveCount(3);
    await expect(answer.locator('.formula.displayed')).toHaveCount(2);
    await expect(answer.locator('code.tex')).toHaveText('$\\frac{1$');
    await expect(answer).toContainText('costs $5 or $10.');
  });

  test('is copied in its source form', async ({ page, show }) => {
    const { remote } = await show('chat', answerHost('The energy is \\(E = mc^2\\).'));
    await expect(page.locator('.katex-html')).toBeVisible();
    expect(await remote.call('selection', {})).toBe('');
    await page.locator('.answer').evaluate((answer) => window.getSelection()?.selectAllChildren(answer));
    expect(await remote.call('selection', {})).toBe('The energy is $E = mc^2$.');
    await expect(page.locator('body')).toHaveAttribute('data-vscode-context', '{"hasSelection":true}');
  });
});

test.describe('Code of an answer', () => {
  const markdown = `So it is called:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n`;

  test('is copied', async ({ page, show }) => {
    const shown = await show('chat', answerHost(markdown));
    await expect(page.locator('.code-block .language')).toHaveText('ts');
    await page.getByRole('button', { name: 'Copy code' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(shown.callsOf('copy')).toEqual([{ text: CODE }]);
  });

  test('is inserted into the file that has the cursor', async ({ page, show }) => {
    const shown = await show('chat', answerHost(markdown, { insertCode: () => undefined }));
    await expect(page.getByRole('button', { name: 'Insert at cursor (no file is open)' })).toBeDisabled();
    shown.remote.notify('insertTargetChanged', { insertTarget: 'garden.ts' });
    const insert = page.getByRole('button', { name: 'Insert at cursor in garden.ts' });
    await expect(insert).toBeEnabled();
    await insert.press('Enter');
    await expect.poll(() => shown.callsOf('insertCode')).toEqual([{ code: CODE }]);
  });

  test('says why it was not inserted', async ({ page, show }) => {
    const insertCode = (): never => {
      throw new NotebookError('forbidden', 'Can’t edit garden.ts. Copy the code instead.');
    };
    await show('chat', answerHost(markdown, { insertCode }, 'garden.ts'));
    await page.getByRole('button', { name: 'Insert at cursor in garden.ts' }).click();
    await expect(page.getByRole('alert')).toHaveText('Can’t edit garden.ts. Copy the code instead.');
  });
});

test.describe('Diagram of an answer', () => {
  const program = (): string =>
    brotliDecompressSync(readFileSync(join(root, 'dist', 'diagrams.js.br'))).toString();
  const diagram = 'graph TD\n  rain[Rain water] --> barrel{Is it full?}\n';

  test('is drawn on request, and shows its source again', async ({ page, show }) => {
    await show('chat', answerHost(`\`\`\`mermaid\n${diagram}\`\`\`\n`, { diagramProgram: program }));
    await page.getByRole('button', { name: 'Draw diagram' }).click();
    const picture = page.locator('.code-block img');
    await expect(picture).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(100);
    await expect(page.locator('.diagram-frame')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show diagram code' }).click();
    await expect(page.locator('.code-block pre')).toContainText('rain[Rain water]');
  });

  test('says that it can’t be drawn if it is broken', async ({ page, show }) => {
    await show('chat', answerHost('```mermaid\ngraph TD\n  a -->\n```\n', { diagramProgram: program }));
    await page.getByRole('button', { name: 'Draw diagram' }).click();
    await expect(page.getByRole('alert')).toHaveText(/^Can’t draw this diagram: .+[.]$/);
    await expect(page.locator('.diagram-frame')).toHaveCount(0);
  });
});
