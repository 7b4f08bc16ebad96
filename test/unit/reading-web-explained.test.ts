// Tests the reasons why blocks of a web page are extracted or left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageReport } from '../../src/core/domain/page-report.ts';
import { explainPage, extractPage } from '../../src/parsers/web/extract-page.ts';

const paragraphs = Array.from(
  { length: 8 },
  (_, i) =>
    `<p>The keeper of the lighthouse number ${String(i)} writes down wind and weather each morning, as those before her did for many years, and sends it to the harbour by noon.</p>`,
).join('');
const html = `<!doctype html><title>The lighthouse</title><body><nav class="menu"><ul><li><a href="/a">Start page</a></li><li><a href="/b">All products</a></li><li><a href="/c">Log in here</a></li></ul></nav><article><h1>The lighthouse</h1>${paragraphs}</article><footer><p><a href="/legal">Legal notice</a> <a href="/jobs">Jobs</a></p></footer></body>`;

test('explains for each block whether it is extracted and why', () => {
  const { blocks } = explainPage(html, 'https://example.org/lighthouse');
  const { markdown } = extractPage(html, 'https://example.org/lighthouse');
  for (const { text, isIncluded: isKept } of blocks) assert.equal(markdown.includes(text), isKept, text);
  const menu = blocks.find(({ text }) => text.includes('All products'));
  const prose = blocks.find(({ text }) => text.includes('number 3'));
  assert.ok(menu && prose && !menu.isIncluded && prose.isIncluded && menu.likely < prose.likely);
  const sum = ({ reasons }: typeof menu): number => Object.values(reasons).reduce((a, b) => a + b);
  assert.ok(sum(menu) < sum(prose));
});

test('gives reasons for a block that match its probability', () => {
  const rows = ['Wind', 'Rain', 'Fog', '12', 'OK'].map(
    (cell, i) => `<tr><td>${cell}</td><td>${String(i)}</td></tr>`,
  );
  const withTable = html.replace('</article>', `<h2>Log</h2><table>${rows.join('')}</table></article>`);
  const { minProbability, blocks } = explainPage(withTable, 'https://example.org/lighthouse');
  for (const { text, isIncluded: isKept, likely, by } of blocks)
    if (by === 'likelihood') assert.equal(likely >= minProbability, isKept, text);
    else assert.equal(isKept, by !== 'readability', text);
  assert.equal(blocks.find(({ text }) => text === 'The lighthouse')?.by, 'heading');
  const table = blocks.filter(({ text }) => /^(?:Wind|Rain|Fog|12|OK|\d)$/.test(text));
  assert.equal(new Set(table.map(({ isIncluded: isKept }) => isKept)).size, 1);
});

test('escapes the markup of the page in the report', () => {
  const reasons = { words: -1, place: 0.5, neighbours: 0, readability: -2 };
  const hello = { text: '# Hello <b>there</b>\n![x](y)', isIncluded: false, likely: 0.25, reasons } as const;
  const report = pageReport('A [title](x)', {
    minProbability: 0.4,
    blocks: [
      { ...hello, by: 'likelihood' },
      { ...hello, by: 'readability' },
      { ...hello, isIncluded: true, by: 'table' },
      { ...hello, isIncluded: true, by: 'heading' },
    ],
  });
  assert.match(
    report,
    /^Open Notebook extracted 2 of 4 blocks from the page\. .* likelihood of at least 40%/m,
  );
  assert.match(report, /\*\*Not extracted\*\*, likelihood 25%, decided by the Readability library\. Text/);
  assert.match(report, /\*\*Extracted\*\*, likelihood 25%, decided with the rest of its table\. Text/);
  assert.match(report, /\*\*Extracted\*\*, likelihood 25%, decided with the content below it\. Text/);
  assert.match(report, /^# Content Extracted from A \\\[title\\\]\(x\)\n/);
  assert.match(report, /\*\*Not extracted\*\*, likelihood 25%\. Text -1, position 0\.5/);
  assert.match(report, /> \\# Hello \\<b\\>there\\<\/b\\> !\\\[x\\\]\(y\)\n/);
});
