import type { Page } from '@playwright/test';
import { join } from 'node:path';
import { targetOfPreviewLink } from '../../src/features/notes/model/preview-links.ts';
import { root } from '../support/paths.mjs';
import { expect, test } from './fixtures.ts';

/** Shows HTML as the Markdown preview of a file, with the extension's script in it. */
async function showPreview(page: Page, source: string, html: string): Promise<void> {
  await page.setContent('<meta id="vscode-markdown-preview-data"><div class="markdown-body"></div>');
  await page.evaluate(
    ([settings = '', body = '']) => {
      document.querySelector('meta')?.setAttribute('data-settings', settings);
      document.querySelector('div')?.insertAdjacentHTML('beforeend', body);
    },
    [JSON.stringify({ source }), html],
  );
  await page.addScriptTag({ path: join(root, 'dist', 'webview', 'note-links.js'), type: 'module' });
}

test.describe('Markdown preview', () => {
  test('links titles and citation keys of a note', async ({ page }) => {
    const html = '<p>See [[Compost]], [[garden.md#Beds|the beds]], and [see @knuth].</p>';
    await showPreview(page, 'open-notebook-note:/March.md', html);
    await expect(page.locator('p')).toHaveText('See Compost, the beds, and [see @knuth].');
    const links = await page
      .locator('p a')
      .evaluateAll((anchors) => anchors.map((one) => [one.textContent, one.getAttribute('href')]));
    expect(links.map(([label, href]) => [label, targetOfPreviewLink(`/${href ?? ''}`)])).toEqual([
      ['Compost', { kind: 'title', title: 'Compost', heading: undefined }],
      ['the beds', { kind: 'title', title: 'garden.md', heading: 'Beds' }],
      ['@knuth', { kind: 'work', key: 'knuth' }],
    ]);
  });

  test('links nothing in code and in other links', async ({ page }) => {
    const html = '<p><code>[[Compost]]</code> <a href="x">[[Compost]]</a> <b>[[March]]</b></p>';
    await showPreview(page, 'open-notebook-note:/March.md', html);
    await expect(page.locator('b a')).toHaveText('March');
    await expect(page.locator('code a')).toHaveCount(0);
    await expect(page.locator('a[href="x"]')).toHaveText('[[Compost]]');
  });

  test('links nothing in a file that is not a note', async ({ page }) => {
    await showPreview(page, 'file:///project/README.md', '<p>[[Compost]]</p>');
    await expect(page.locator('p')).toHaveText('[[Compost]]');
    await expect(page.locator('p a')).toHaveCount(0);
  });
});
