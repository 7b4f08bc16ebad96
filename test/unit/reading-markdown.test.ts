import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { locate } from '../../src/core/domain/locator.ts';
import { headingsOfMarkdown, readMarkdown } from '../../src/parsers/markdown.ts';

const outline = (text: string): string[] =>
  headingsOfMarkdown(text).map(({ level, title }) => `${String(level)} ${title}`);

describe('headings of Markdown', () => {
  test('include both kinds, with plain titles', () => {
    const text =
      '# One\n\nTitle\n=====\n\nLower\n---\n\n### **Bold** and `code` and [a link](https://e.org) ###\n#no\n####### no\n';
    assert.deepEqual(outline(text), ['1 One', '1 Title', '2 Lower', '3 Bold and code and a link']);
  });

  test('exclude fences and front matter', () => {
    const text =
      '---\ntitle: x\n# comment\n---\n```sh\n# not one\n```\n~~~~\n# nor this\n~~~\n# nor this\n~~~~\n# Yes\n';
    assert.deepEqual(outline(text), ['1 Yes']);
  });

  test('exclude rules, list items, and tables', () => {
    assert.deepEqual(outline('text\n\n-----\n-----\n\n* * *\n===\n'), []);
    assert.deepEqual(outline('text\n\n---\n\n- item\n---\n\n| a |\n---\n\n    code\n---\n'), []);
  });

  test('are those of AsciiDoc if the text begins with its title', () => {
    const text = '= Manual\n\n== Start\n\n----------\n$ git clone\n----------\n\n=== Clone\n';
    const { title, headings } = readMarkdown(text);
    assert.equal(title, 'Manual');
    assert.deepEqual(
      headings.map(({ level, title: words }) => `${String(level)} ${words}`),
      ['1 Manual', '2 Start', '3 Clone'],
    );
  });

  test('begin at their offset with every kind of line break', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['intro', '', '## A', 'words', '', 'B', '---'].join(end);
      const headings = headingsOfMarkdown(text);
      assert.deepEqual(
        headings.map(({ offset, title }) => [text.slice(offset, offset + 4).trim(), title]),
        [
          ['## A', 'A'],
          [`B${end}---`.slice(0, 4).trim(), 'B'],
        ],
      );
    }
  });

  test('start lines that contain the title', () => {
    const line = fc.constantFrom(
      '# A b',
      'plain words',
      '===',
      '---',
      '```',
      '',
      '## C',
      '- item',
      '> quote',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const text = lines.join('\n');
        for (const { offset, title } of headingsOfMarkdown(text)) {
          assert.ok(offset === 0 || text[offset - 1] === '\n');
          assert.ok((text.slice(offset).split('\n')[0] ?? '').includes(title));
        }
      }),
    );
  });
});

test('takes the title of a Markdown file from its front matter or first heading', () => {
  assert.equal(
    readMarkdown('---\nlayout: x\ntitle: "From the front"\n---\n# Heading\n').title,
    'From the front',
  );
  assert.equal(readMarkdown("+++\ntitle = 'Toml'\n+++\n").title, 'Toml');
  assert.equal(readMarkdown('words\n\n## Heading\n').title, 'Heading');
  assert.equal(readMarkdown('words only').title, undefined);
});

test('leaves out citation links of a note and locates its words', () => {
  const link = '[1](citation/0123456789abcdef "garden.md, L5")';
  const original = `# Compost\r\n\r\n> Turned in March. ${link} ${link}\r\nIn spring${link}, then.\n${link} Never.\n`;
  const { text, map, headings } = readMarkdown(original);
  assert.equal(text, '# Compost\r\n\r\n> Turned in March.\r\nIn spring, then.\n Never.\n');
  assert.deepEqual(headings, [{ offset: 0, level: 1, title: 'Compost' }]);
  const lines = original.split(/\r?\n/);
  for (const words of ['Compost', 'March', 'spring', 'then', 'Never']) {
    const start = text.indexOf(words);
    const place = locate(text, map, { start, end: start + words.length });
    assert.ok(place.kind === 'lines');
    assert.equal(lines[place.start.line]?.slice(place.start.character, place.end.character), words);
    assert.equal(place.end.line, place.start.line);
  }
});
