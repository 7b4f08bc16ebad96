import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webviewHtml } from '../../src/platform/webview-html.ts';

test('titles each page for screen readers', () => {
  for (const page of ['flashcards', 'chat', 'tables', 'page', 'pdf', 'research', 'maps'] as const) {
    const html = webviewHtml(page, {
      cspSource: 'https://files.example',
      nonce: 'n',
      language: 'en',
      translation: {},
      address: (file) => `https://files.example/${file}`,
    });
    assert.match(html, /<title>Open Notebook<\/title>/, page);
  }
});
