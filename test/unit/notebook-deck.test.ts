import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marpit } from '@marp-team/marpit';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { asDeck, withoutDeck } from '../../src/core/domain/deck.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import { noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import { testCitation } from '../support/test-citation.ts';

const written = [
  '# Slides\n\nOf one source.\n',
  '---',
  '## Ships\n\n- Ballast is heavy.\n---\n- Sails tear.\n',
  '```\n# no slide\n---\n```\n',
  '***',
  '## Trade\n\n### Wool\n\n- Wool was sold.',
].join('\n');
const citations = Array.from({ length: 10 }, (_, index) => ({
  id: index.toString(16).padStart(16, '0'),
  citation: testCitation({ number: index + 1, place: `L${String(index + 1)}`, quote: 'Ballast is heavy.' }),
}));
const slidesOf = (markdown: string): string[] =>
  new Marpit({ markdown: { html: true } }).render(markdown, { htmlAsArray: true }).html;
const headingsOf = (markdown: string): (string | undefined)[] =>
  slidesOf(markdown).map((slide) => /<h[12][^>]*>(.*?)<\/h[12]>/.exec(slide)?.[1]);

test('begins a slide with each heading and has no separator within one', () => {
  const deck = asDeck(written);
  assert.match(deck, /^---\nmarp: true\npaginate: true\n---\n\n# Slides\n/);
  assert.deepEqual(headingsOf(deck), ['Slides', 'Ships', 'Trade']);
  assert.equal(asDeck(withoutDeck(deck)), deck);
  assert.equal(withoutDeck('# A note\n\n---\n\nMore.'), '# A note\n\n---\n\nMore.');
});

test('lists the sources of slides on slides when they are exported as Markdown', () => {
  const links = citations.map(({ id, citation }) => citationLink(String(citation.number), id, citation));
  const exported = noteAsMarkdown(
    asDeck(`# Slides\n\n## Ships\n\n- Ballast is heavy. ${links.join(' ')}\n`),
    citations,
  );
  assert.deepEqual(headingsOf(exported), ['Slides', 'Ships', 'Sources', 'Sources']);
  assert.match(exported, /- Ballast is heavy\. \\\[1\\\]/);
  assert.match(slidesOf(exported)[2] ?? '', /<ol>\s*<li>garden\.md, L1/);
  assert.match(slidesOf(exported)[3] ?? '', /<ol start="9">/);
  assert.doesNotMatch(exported, /\[\^|citation\//);
});

test('leaves the settings of Marp out of an exported page', () => {
  const html = Buffer.from(
    writeHtml({ format: 'html', title: 'Slides', text: asDeck(written), citations: [], figures: [] }),
  ).toString();
  assert.doesNotMatch(html, /marp|paginate/);
  assert.match(html, /<h2[^>]*>Trade<\/h2>/);
});
