import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutMarkdown, endOfTitle } from '../../src/core/language/markdown/pieces.ts';
import { addressAt } from '../../webview/page/text-fragment.ts';
import { markPlace } from '../../webview/pdf/mark-places.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';

describe('a long page is split into parts', () => {
  it('that make up the whole page', () => {
    const line = fc.constantFrom(
      'a\n',
      '\n',
      '```\n',
      '~~~\n',
      '# b\n',
      '- c\n',
      '  d\n',
      '> e\n',
      'f',
      '```` js\n',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (lines, size) => {
        const markdown = lines.join('');
        const pieces = cutMarkdown(markdown, size);
        assert.equal(pieces.map(({ start, end }) => markdown.slice(start, end)).join(''), markdown);
        assert.ok(pieces.slice(0, -1).every(({ start, end }) => end - start >= size));
      }),
    );
  });

  it('between blocks, so that each reads as it does in the whole', () => {
    const markdown =
      '# A\n\ntext\n\n```js\na\n\nb\n```\n\n- one\n\n- two\n\n  more\n\nend\n\n| a |\n|---|\n| b |\n';
    const shown = (text: string): string[] =>
      markdownToHast(text).children.flatMap((child) => (child.type === 'element' ? [child.tagName] : []));
    const pieces = cutMarkdown(markdown, 1);
    assert.ok(pieces.length > 3);
    assert.deepEqual(
      pieces.flatMap(({ start, end }) => shown(markdown.slice(start, end))),
      shown(markdown),
    );
  });
});

describe('the live page is opened at the cited words', () => {
  it('named in full if they are few', () => {
    assert.equal(
      addressAt('https://x.example/a', ['one, two-three']),
      'https://x.example/a#:~:text=one%2C%20two%2Dthree',
    );
  });

  it('by their beginning and end if they are many or cross blocks', () => {
    const many = 'a b c d e f g h i j k';
    assert.equal(
      addressAt('https://x.example/#s', [many]),
      'https://x.example/#s:~:text=a%20b%20c%20d,h%20i%20j%20k',
    );
    assert.equal(addressAt('https://x.example/', ['a b', ' ', 'c']), 'https://x.example/#:~:text=a%20b,c');
  });

  it('as it is if nothing is cited', () => {
    assert.equal(addressAt('https://x.example/', []), 'https://x.example/');
  });
});

describe('a highlight on a PDF page', () => {
  const rectangle = { page: 1, x: 60, y: 600, width: 120, height: 20 };

  it('is at its rectangle at any zoom', () => {
    for (const zoom of [0.5, 1, 3]) {
      const page = {
        width: 600 * zoom,
        height: 800 * zoom,
        convertToViewportRectangle: ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]) =>
          [x1, 800 - y1, x2, 800 - y2].map((value) => value * zoom),
      };
      const place = markPlace(rectangle, page);
      const rounded = Object.values(place).map((value) => Math.round(value * 1000) / 1000);
      assert.deepEqual(rounded, [0.1, 0.225, 0.2, 0.025]);
    }
  });

  it('rotates with its page', () => {
    const page = {
      width: 800,
      height: 600,
      convertToViewportRectangle: ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]) => [y1, x1, y2, x2],
    };
    assert.deepEqual(markPlace(rectangle, page), { left: 0.75, top: 0.1, width: 0.025, height: 0.2 });
  });
});

it('recognizes a first line that is the title', () => {
  assert.equal(endOfTitle('# Bees\n\nThey fly.', 'Bees'), 7);
  assert.equal(endOfTitle('# Bees', 'Bees'), 6);
  assert.equal(endOfTitle('# Bees in winter\n', 'Bees'), 0);
  assert.equal(endOfTitle('Bees\n', 'Bees'), 0);
  assert.equal(endOfTitle('', ''), 0);
});
