import type { FrameLocator, Locator } from '@playwright/test';
import { column, tinyPdf } from '../support/tiny-pdf.ts';
import type { Workbench } from '../support/workbench.ts';
import { seriousProblems } from '../support/accessibility.ts';
import { expect, test } from './fixtures.ts';
import { answered, chatPanel, inEachTheme, readySource, findTurn } from './notebook.ts';

test('all citations of an answer are marked in a PDF, and more like one is found', async ({
  vscode,
  workspace,
}) => {
  const text = (fact: string): { lines: ReturnType<typeof column> } => ({
    lines: column(72, 700, [fact, 'This page says nothing else of it.']),
  });
  workspace.write(
    'orchard.pdf',
    tinyPdf({
      pages: [
        text('Apples are watered from May to August by the eastern channel.'),
        text('The gate of the orchard is painted green.'),
        text('Cherries are watered in June by the western channel.'),
      ],
    }),
  );
  workspace.write(
    'rules.md',
    '# Rules\n\nMembers meet in spring, below the cherries.\n\nThe eastern channel waters the apples from May to August.\n',
  );
  const workbench = await vscode.open(workspace.folder);
  await workbench.explorerMenu(['orchard.pdf', 'rules.md'], 'Add to Notebook');
  await readySource(workbench, 'orchard.pdf');
  await readySource(workbench, 'rules.md');
  const turn = await answered(workbench, 'When are apples and cherries in orchard.pdf watered?');
  const apples = turn.locator('figure.quote', { hasText: 'Apples are watered' });
  const chip = apples.locator('.chip');
  await chip.click();
  const pdf = await workbench.webview('[aria-label="PDF"]');
  const toolbar = pdf.getByRole('toolbar', { name: 'PDF' });

  await test.step('all citations are marked and walked through', async () => {
    await expect(toolbar).toContainText('Citation 1 of 2');
    await expect(pdf.locator('.side:visible')).toHaveCount(0);
    await expect(pdf.locator('.page[data-page-number="1"] .mark.current').first()).toBeVisible();
    await workbench.screenshot('pdf-citations');
    await toolbar.getByRole('button', { name: 'Next citation' }).click();
    await expect(toolbar).toContainText('Citation 2 of 2');
    await expect(pdf.locator('.page[data-page-number="3"] .mark.current').first()).toBeVisible();
    await workbench.page.keyboard.press('p');
    await expect(toolbar).toContainText('Citation 1 of 2');
  });

  await test.step('the card shows the words', async () => {
    await expect(async () => {
      await workbench.page.mouse.move(700, 20);
      await chip.hover();
      await expect(apples.locator('.card mark').first()).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await workbench.screenshot('citation-card');
  });

  await test.step('more like it is found', async () => {
    await apples.getByRole('button', { name: 'Find more like this' }).click();
    const panel = await chatPanel(workbench);
    const more = panel.locator('article.turn').last();
    await expect(more.locator('.question')).toContainText('More like “Apples are watered');
    await expect(more).toContainText('Much the same, from 1 source');
    await expect(more.locator('figure.quote')).toContainText('The eastern channel waters the apples');
    await expect(apples.locator('.card')).toHaveCount(0);
    await workbench.screenshot('more-like-this');
  });
});

test('a PDF is shown where it was, as large as it was, after the window was loaded anew', async ({
  vscode,
  workspace,
}) => {
  const lines = (number: number): ReturnType<typeof column> =>
    column(
      72,
      700,
      Array.from({ length: 40 }, (_, line) => `${String(number)}.${String(line)} Cherries ripen in June.`),
    );
  workspace.write(
    'garden.pdf',
    tinyPdf({ pages: Array.from({ length: 5 }, (_, index) => ({ lines: lines(index) })) }),
  );
  vscode.set({ 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } });
  const workbench = await vscode.open(workspace.folder);
  const { page } = workbench;
  await workbench.openPdf('garden.pdf');
  const shown = await workbench.webview('.textLayer');
  const fourth = (frame: typeof shown): Locator => frame.locator('.page[data-page-number="4"]');
  const top = async (frame: typeof shown): Promise<number> =>
    Math.round((await fourth(frame).boundingBox())?.y ?? Number.NaN);
  await shown.locator('.container').focus();
  const before = (await shown.locator('.scale').textContent()) ?? '';
  await page.keyboard.press('-');
  await expect(shown.locator('.scale')).not.toHaveText(before);
  const scale = (await shown.locator('.scale').textContent()) ?? '';
  // Somewhere within the page.
  await fourth(shown).evaluate((element) => {
    const container = element.closest('.container');
    if (container !== null)
      container.scrollTop +=
        element.getBoundingClientRect().top - container.getBoundingClientRect().top + 130;
  });
  await expect(shown.getByLabel('Page', { exact: true })).toHaveValue('4');
  const place = await top(shown);

  await workbench.reloadWindow();
  const again = await workbench.webview('.textLayer');
  await expect(again.getByLabel('Page', { exact: true })).toHaveValue('4');
  await expect(again.locator('.scale')).toHaveText(scale);
  await expect.poll(async () => Math.abs((await top(again)) - place)).toBeLessThan(4);
  await workbench.screenshot('pdf-after-reload');
});

/** What is at a point of a webview's window. */
async function lineAt(container: Locator, point: { x: number; y: number }): Promise<string> {
  return await container.evaluate(
    (element, { x, y }) => element.ownerDocument.elementFromPoint(x, y)?.textContent ?? '',
    point,
  );
}

test.describe('a PDF is read in the viewer', () => {
  test.describe.configure({ mode: 'serial' });
  const garden = (fact: string): Uint8Array =>
    tinyPdf({
      pages: Array.from({ length: 5 }, (_, index) => ({
        lines: column(
          72,
          700,
          Array.from({ length: 40 }, (__, i) => `${String(index + 1)}.${String(i + 1)} ${fact}`),
        ),
        ...(index === 1 && { linkTo: { page: 4, rect: [300, 400, 500, 420] } as const }),
      })),
      outline: [
        {
          title: 'Trees',
          page: 0,
          items: [{ title: 'Fruit', page: 1, items: [{ title: 'Cherries', page: 2, top: 400 }] }],
        },
        { title: 'A chapter with a title that is too long for the narrow space beside the pages', page: 4 },
      ],
    });
  test.use({
    shared: true,
    files: {
      'garden.pdf': garden('Cherries ripen in June.'),
      'empty.pdf': '',
      'broken.pdf': 'This is no PDF.',
    },
    settings: { 'workbench.editorAssociations': { '*.pdf': 'openNotebook.pdf' } },
  });
  /** The viewer that is in front. */
  const viewer = async (
    workbench: Workbench,
  ): Promise<{ pdf: FrameLocator; toolbar: Locator; pageField: Locator }> => {
    const pdf = await workbench.webview('[aria-label="PDF"]');
    const toolbar = pdf.getByRole('toolbar', { name: 'PDF' });
    return { pdf, toolbar, pageField: toolbar.getByLabel('Page', { exact: true }) };
  };

  test('a question about a PDF is answered', async ({ workbench }) => {
    await workbench.explorerMenu('garden.pdf', 'Add to Notebook');
    await readySource(workbench, 'garden.pdf');
    await answered(workbench, 'When do cherries ripen?');
  });

  test('an empty and a broken file say so', async ({ workbench }) => {
    for (const [name, reason] of [
      ['empty.pdf', 'This file is empty.'],
      ['broken.pdf', 'This file is damaged or is not a PDF.'],
    ] as const) {
      await workbench.openFile(name);
      await expect((await workbench.webview('.problem')).getByRole('alert')).toContainText(reason);
      await workbench.run('View: Close Editor');
    }
  });

  test('it is walked and fitted by keys', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    await workbench.openFile('garden.pdf');
    const { pdf, toolbar, pageField } = await viewer(workbench);
    await expect(pdf.locator('.textLayer').first()).toBeVisible();
    await pdf.locator('.container').focus();
    await keyboard.press('End');
    await expect(pageField).toHaveValue('5');
    // A window that was just opened may still be fitting its pages.
    await expect(async () => {
      await keyboard.press('Home');
      await expect(pageField).toHaveValue('1', { timeout: 3_000 });
      await keyboard.press('j');
      await expect(pageField).toHaveValue('2', { timeout: 3_000 });
    }).toPass();
    await keyboard.press('0');
    await expect(toolbar.getByRole('button', { name: 'Fit page (0)' })).toBeVisible();
    await keyboard.press('0');
    await expect(toolbar.getByRole('button', { name: 'Fit width (0)' })).toBeVisible();
    const scale = await toolbar.locator('.scale').textContent();
    await keyboard.press('+');
    await expect(toolbar.locator('.scale')).not.toHaveText(scale ?? '');
  });

  test('it is zoomed at the pointer', async ({ workbench }) => {
    const { keyboard, mouse } = workbench.page;
    const { pdf, toolbar } = await viewer(workbench);
    // What stands under the pointer stays there.
    const line = pdf.locator('.textLayer span', { hasText: /^2\.20 / });
    await line.hover();
    const point = await line.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    const container = pdf.locator('.container');
    expect(await lineAt(container, point)).toMatch(/^2\.20 /);
    const zoomed = await toolbar.locator('.scale').textContent();
    await keyboard.down('Control');
    await mouse.wheel(0, -200);
    await keyboard.up('Control');
    await expect(toolbar.locator('.scale')).not.toHaveText(zoomed ?? '');
    await expect.poll(() => lineAt(container, point)).toMatch(/^2\.20 /);
  });

  test('its outline is walked by keys, in a narrow window, too', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, pageField } = await viewer(workbench);
    await pdf.locator('.container').focus();
    await keyboard.press('o');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowDown');
    await expect(pdf.getByRole('treeitem', { name: 'Cherries' })).toBeFocused();
    await workbench.screenshot('pdf-outline-levels');
    await keyboard.press('Enter');
    await expect(pageField).toHaveValue('3');
    await workbench.resize(620, 700);
    await workbench.screenshot('pdf-narrow-outline');
    await pdf.locator('.container').focus();
    await keyboard.press('o');
    await keyboard.press('ControlOrMeta+f');
    await workbench.screenshot('pdf-narrow');
    await workbench.resize(1400, 900);
  });

  test('links lead within it, and the way back and forward', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar, pageField } = await viewer(workbench);
    const link = pdf.locator('.page[data-page-number="2"] .linkAnnotation a');
    // A window that just got another size may still be fitting its pages.
    let isFollowed = false;
    await expect(async () => {
      // What took its time the last time may be there by now; followed once more, the way back would be longer.
      if (isFollowed && (await pageField.inputValue()) === '5') return;
      await pdf.locator('.container').focus();
      await keyboard.press('Home');
      await expect(pageField).toHaveValue('1', { timeout: 3_000 });
      await keyboard.press('j');
      await expect(pageField).toHaveValue('2', { timeout: 3_000 });
      await link.focus();
      await keyboard.press('Enter');
      isFollowed = true;
      await expect(pageField).toHaveValue('5', { timeout: 3_000 });
    }).toPass();
    await keyboard.press('Alt+ArrowLeft');
    await expect(pageField).toHaveValue('2');
    await toolbar.getByRole('button', { name: 'Forward (Alt+Right)' }).click();
    await expect(pageField).toHaveValue('5');
  });

  test('its pages are shown small, and two side by side', async ({ workbench, workspace }) => {
    const { keyboard } = workbench.page;
    const { pdf, toolbar, pageField } = await viewer(workbench);
    await pdf.locator('.container').focus();
    await keyboard.press('t');
    const small = pdf.getByRole('listbox', { name: 'Pages' }).getByRole('option');
    await expect(small).toHaveCount(5);
    await expect(small.nth(4)).toHaveAttribute('aria-selected', 'true');
    await expect(small.nth(4).locator('canvas')).toBeVisible();
    await small.nth(2).click();
    await expect(pageField).toHaveValue('3');
    await keyboard.press('d');
    await expect(pdf.locator('.spread')).toHaveCount(3);
    await inEachTheme(workbench, workspace, [pdf], async (name) => {
      await workbench.screenshot(`pdf-thumbnails-${name}`);
      expect.soft(await seriousProblems(pdf.locator('body'), 'editor')).toEqual([]);
    });
    await workbench.resize(620, 700);
    await workbench.screenshot('pdf-narrow-thumbnails');
    await workbench.resize(1400, 900);
    await pdf.locator('.container').focus();
    await keyboard.press('t');
    await expect(small).toHaveCount(0);
    await expect(toolbar.locator('[aria-pressed="true"][aria-label^="Two pages"]')).toBeVisible();
    const top = async (page: number): Promise<number> =>
      pdf
        .locator(`.page[data-page-number="${String(page)}"]`)
        .evaluate((element) => Math.round(element.getBoundingClientRect().top));
    expect(await top(3)).toBe(await top(4));
    await workbench.screenshot('pdf-two-pages');
    await keyboard.press('d');
    await expect(pdf.locator('.spread')).toHaveCount(0);
  });

  test('it is presented page by page by keys, and its links lead on', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const { pdf } = await viewer(workbench);
    await pdf.locator('.container').focus();
    await keyboard.press('f');
    // The chat beside it, which is a page of its own, is hidden meanwhile.
    const slides = await workbench.webview('#root.presenting .page');
    await expect(slides.getByRole('toolbar', { name: 'PDF' })).toBeHidden();
    const shown = slides.locator('.pdfViewer .page:visible');
    await expect(shown).toHaveCount(1);
    await keyboard.press('Home');
    await expect(shown).toHaveAttribute('data-page-number', '1');
    await keyboard.press('Space');
    await expect(shown).toHaveAttribute('data-page-number', '2');
    await workbench.screenshot('pdf-presented');
    await shown.locator('.linkAnnotation a').focus();
    await keyboard.press('Enter');
    await expect(shown).toHaveAttribute('data-page-number', '5');
    await keyboard.press('PageUp');
    await expect(shown).toHaveAttribute('data-page-number', '4');
    await keyboard.press('Escape');
    await chatPanel(workbench);
    const after = await workbench.webview('[aria-label="PDF"]');
    await expect(after.getByLabel('Page', { exact: true })).toHaveValue('4');
  });

  test('where it was left is shown again after it was closed', async ({ workbench }) => {
    const { keyboard } = workbench.page;
    const left = await workbench.webview('[aria-label="PDF"]');
    await left.locator('.container').focus();
    const before = (await left.locator('.scale').textContent()) ?? '';
    await keyboard.press('-');
    await expect(left.locator('.scale')).not.toHaveText(before);
    const scale = (await left.locator('.scale').textContent()) ?? '';
    await workbench.run('View: Close Editor');
    await expect(workbench.tab('garden.pdf')).toHaveCount(0);
    await workbench.openFile('garden.pdf');
    const again = await workbench.webview('.textLayer');
    await expect(again.getByLabel('Page', { exact: true })).toHaveValue('4');
    await expect(again.locator('.scale')).toHaveText(scale);
  });

  test('it is handed to another program to be printed, where there is one', async ({ workbench }) => {
    const shown = await workbench.webview('.textLayer');
    await shown.getByRole('button', { name: 'Print with Another Program…' }).click();
    const asked = workbench.dialog('The editor lets no page print');
    await expect(asked).toBeVisible();
    await workbench.screenshot('pdf-print');
    await asked.getByRole('button', { name: 'Open', exact: true }).click();
    // The editor runs elsewhere than this browser.
    await expect(
      workbench.notification('garden.pdf cannot be opened with a program of this machine'),
    ).toBeVisible();
  });

  test('it is shown anew when it changes', async ({ workbench, workspace }) => {
    workspace.write('garden.pdf', garden('Cherries ripen in July.'));
    const anew = await workbench.webview('.textLayer span:has-text("July")');
    await expect(anew.getByLabel('Page', { exact: true })).toHaveValue('4');
  });

  test('it is missed when it is gone', async ({ workbench, workspace }) => {
    workspace.remove('garden.pdf');
    await workbench.run('View: Close Editor');
    const asked = findTurn(await chatPanel(workbench), 'When do cherries ripen?');
    await asked.locator('.chip').first().click();
    await expect(workbench.notification('garden.pdf could not be opened')).toBeVisible();
    await workbench.screenshot('pdf-gone');
  });
});
