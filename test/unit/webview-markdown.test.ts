import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Element, ElementContent, Root } from 'hast';
import fc from 'fast-check';
import { annotate, type Annotation } from '../../webview/shared/annotate.ts';
import { extendBlocks, parseBlocks } from '../../webview/shared/blocks.ts';
import { codeToHast, colorCodeBlocks } from '../../webview/shared/code-colors.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import { isEverything, rounds } from '../support/test-size.mjs';

/** Returns the tree as HTML-like text for readable expectations. */
function written(node: Root | ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'root')
    return node.children.map((child) => (child.type === 'doctype' ? '' : written(child))).join('');
  if (node.type !== 'element') return '';
  const href = node.properties.href === undefined ? '' : ` href=${node.properties.href}`;
  return `<${node.tagName}${href}>${node.children.map(written).join('')}</${node.tagName}>`;
}

function writtenText(node: Root | ElementContent): string {
  return written(node).replace(/<\/?[a-z][^>]*>/g, '');
}

function elements(node: Root | Element, tagName: string): Element[] {
  return node.children.flatMap((child) =>
    child.type === 'element'
      ? [...(child.tagName === tagName ? [child] : []), ...elements(child, tagName)]
      : [],
  );
}

const chip: Element = { type: 'element', tagName: 'chip', properties: {}, children: [] };

function annotation(source: string, words: string, after?: Element): Annotation {
  const start = source.indexOf(words);
  assert.notEqual(start, -1);
  return { start, end: start + words.length, wrap: { tagName: 'mark', properties: {} }, after };
}

function marked(source: string, words: string): string {
  return written(annotate(markdownToHast(source), source, [annotation(source, words)]));
}

function chipped(source: string, words: string): string {
  return written(annotate(markdownToHast(source), source, [annotation(source, words, chip)])).replaceAll(
    /<\/?mark>/g,
    '',
  );
}

describe('Markdown as a safe tree', () => {
  it('shows HTML as text and never as elements', () => {
    const tree = markdownToHast('Hello <script>alert(1)</script> there\n\n<div onclick="x()">block</div>\n');
    assert.equal(elements(tree, 'script').length + elements(tree, 'div').length, 0);
    assert.match(writtenText(tree), /alert\(1\)/);
    assert.match(written(tree), /<p><div onclick="x\(\)">block<\/div><\/p>/);
  });

  it('keeps web and mail links and no others', () => {
    const links = [
      'javascript:alert(1)',
      'command:workbench.x',
      'data:text/html,x',
      '//evil.example/',
      './near.md',
      'vscode://x',
    ];
    for (const link of links)
      assert.equal(written(markdownToHast(`[a](<${link}>)`)), '<p><span>a</span></p>', link);
    assert.equal(
      written(markdownToHast('[a](https://x.example/b)')),
      '<p><a href=https://x.example/b>a</a></p>',
    );
    assert.equal(
      written(markdownToHast('[a](mailto:a@x.example)')),
      '<p><a href=mailto:a@x.example>a</a></p>',
    );
  });

  it('shows the alternative text of images', () => {
    assert.equal(
      written(markdownToHast('![A *cat*](https://x.example/cat.png)')),
      '<p><span>A cat</span></p>',
    );
    assert.equal(written(markdownToHast('![](x.png)')), '<p><span>Image</span></p>');
    assert.equal(elements(markdownToHast('![a][b]\n\n[b]: x.png'), 'img').length, 0);
  });

  it('breaks lines in table cells', () => {
    assert.match(written(markdownToHast('| a |\n|---|\n| b<br>c |\n')), /<td>b<br><\/br>c<\/td>/);
  });
});

describe('words are highlighted by their location in the source', () => {
  it('across emphasis and links', () => {
    assert.equal(
      marked('One **two *three* four** [five](https://x.example/) six.', 'three* four** [five'),
      '<p>One <strong>two <em><mark>three</mark></em><mark> four</mark></strong> <a href=https://x.example/><mark>five</mark></a> six.</p>'.replace(
        '</strong> <a',
        '</strong><mark> </mark><a',
      ),
    );
  });

  it('after escapes and character references', () => {
    assert.equal(
      marked('a \\* b &amp; c &copy; d target e', 'target'),
      '<p>a * b & c © d <mark>target</mark> e</p>',
    );
    assert.equal(marked('&#x1F600; and &#42; then word.', 'word'), '<p>😀 and * then <mark>word</mark>.</p>');
  });

  it('in inline code, in fenced code and in code of a list', () => {
    assert.equal(marked('Use ``a`b`` now', 'a`b'), '<p>Use <code><mark>a`b</mark></code> now</p>');
    assert.equal(
      marked('```js\nlet a;\nlet b;\n```\n', 'let b'),
      '<pre><code>let a;\n<mark>let b</mark>;\n</code></pre>',
    );
    assert.match(
      marked('- x\n\n  ```\n  one\n  two\n  ```\n', 'two'),
      /<code>one\n<mark>two<\/mark>\n<\/code>/,
    );
    assert.match(marked('> ```\n> one\n> two\n> ```\n', 'two'), /<code>one\n<mark>two<\/mark>\n<\/code>/);
    assert.match(marked('    one\n    two\n', 'two'), /<code>one\n<mark>two<\/mark>/);
  });

  it('in highlighted code', () => {
    const source = '```ts\nconst answer: number = 42;\n```\n';
    const tree = annotate(colorCodeBlocks(markdownToHast(source)), source, [
      annotation(source, 'answer: number'),
    ]);
    assert.equal(elements(tree, 'mark').map(writtenText).join(''), 'answer: number');
    assert.equal(writtenText(tree), 'const answer: number = 42;\n');
  });

  it('in tables, without touching their structure', () => {
    const source = '| a | b |\n|---|---|\n| one | two |\n| three | four |\n';
    const tree = annotate(markdownToHast(source), source, [annotation(source, 'two |\n| three')]);
    assert.deepEqual(elements(tree, 'mark').map(writtenText), ['two', 'three']);
    for (const parent of ['table', 'tbody', 'tr'].flatMap((name) => elements(tree, name))) {
      assert.ok(parent.children.every((child) => child.type !== 'element' || child.tagName !== 'mark'));
    }
  });

  it('in lines of block quotes and next to addresses that GitHub would link', () => {
    assert.equal(
      marked('> one two\n> three four', 'two\n> three').replaceAll('\n', '¶'),
      '<blockquote>¶<p>one <mark>two¶three</mark> four</p>¶</blockquote>',
    );
    assert.match(
      marked('See www.x.example or a@b.example for more words', 'more words'),
      / for <mark>more words<\/mark>/,
    );
  });

  it('in any plain text, exactly', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'word',
            'Wörter',
            '文字',
            '😀',
            'a\\*b',
            '&amp;',
            '`x`',
            '**bold**',
            '*it*',
            'end.',
          ),
          { minLength: 1, maxLength: 30 },
        ),
        fc.nat(),
        (words, pick) => {
          const at = pick % words.length;
          const source = [...words.slice(0, at), 'NEEDLE', ...words.slice(at)].join(' ');
          const tree = annotate(markdownToHast(source), source, [annotation(source, 'NEEDLE')]);
          assert.equal(elements(tree, 'mark').map(writtenText).join(''), 'NEEDLE');
          assert.equal(writtenText(tree), writtenText(markdownToHast(source)));
        },
      ),
    );
  });

  it('never loses or repeats a character, whatever the source and the span', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '*',
      '**',
      '`',
      '```\n',
      '# ',
      '> ',
      '- ',
      '1. ',
      '|',
      '|---|\n',
      '[x](y)',
      '&lt;',
      '\\',
      '<b>',
      '\t',
      '\r\n',
      '~~',
      '\u0000',
      '[^1]',
      '[^1]: n\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(80), fc.nat(80), (pieces, a, b) => {
        const source = pieces.join('');
        const tree = markdownToHast(source);
        const span = { start: Math.min(a, b, source.length), end: Math.min(Math.max(a, b), source.length) };
        const result = annotate(tree, source, [
          { ...span, wrap: { tagName: 'mark', properties: {} }, after: chip },
        ]);
        assert.equal(elements(result, 'chip').length, 1);
        assert.equal(
          written(result).replaceAll(/<\/?(?:mark|chip|p)>/g, ''),
          written(tree).replaceAll(/<\/?p>/g, ''),
        );
      }),
    );
  });
});

describe('chips follow the last word of their statement', () => {
  it('in a paragraph, after the emphasis that ends there', () => {
    assert.equal(
      chipped('First. **Second.** Third.', '**Second.**'),
      '<p>First. <strong>Second.</strong><chip></chip> Third.</p>',
    );
    assert.equal(
      chipped('***All* of it.** Next.', '***All* of it.**'),
      '<p><strong><em>All</em> of it.</strong><chip></chip> Next.</p>',
    );
    assert.equal(chipped('**One. Two.**', 'One.'), '<p><strong>One.<chip></chip> Two.</strong></p>');
  });

  it('never in a link or in code', () => {
    assert.equal(
      chipped('See [the *page*](https://x.example/)', 'See [the *page*](https://x.example/)'),
      '<p>See <a href=https://x.example/>the <em>page</em></a><chip></chip></p>',
    );
    assert.equal(chipped('Use `x`', 'Use `x`'), '<p>Use <code>x</code><chip></chip></p>');
    assert.equal(
      chipped('Do:\n\n```\na\n```\n', 'Do:\n\n```\na\n```'),
      '<p>Do:</p>\n<pre><code>a\n</code></pre><p><chip></chip></p>',
    );
  });

  it('in the last item of a list and in the last cell of a table', () => {
    assert.match(chipped('- a\n- b\n', '- a\n- b'), /<li>b<chip><\/chip><\/li>/);
    assert.match(chipped('| a | b |\n|---|---|\n| c | d |\n', '| c | d |'), /<td>d<chip><\/chip><\/td>/);
  });

  it('at the end if a statement has no words', () => {
    assert.equal(chipped('a\n\n---\n', '---'), '<p>a</p>\n<hr></hr><p><chip></chip></p>');
  });
});

describe('code', () => {
  it('is highlighted without changing its text', () => {
    const code = 'function f<T>(a: T) { return `<b>${a}</b>` } // &amp;\n';
    assert.equal(elements(codeToHast(code, 'typescriptreact'), 'span').length > 0, true);
    const shown = (node: Root | ElementContent): string =>
      node.type === 'text'
        ? node.value
        : 'children' in node
          ? node.children.map((child) => (child.type === 'doctype' ? '' : shown(child))).join('')
          : '';
    assert.equal(shown(codeToHast(code, 'typescriptreact')), code);
    assert.equal(shown(codeToHast(code, 'nobody-knows')), code);
  });

  it('has marks at offsets of the code itself', () => {
    const code = 'a = "x &amp; \\\\ y"\nb = 2\n';
    const tree = annotate(codeToHast(code, 'python'), code, [annotation(code, 'b = 2')]);
    assert.equal(elements(tree, 'mark').map(writtenText).join(''), 'b = 2');
  });
});

describe('a growing text', () => {
  it('keeps finished blocks and ends as if parsed at once', () => {
    const text =
      '# Title\n\nOne *two*\nthree.\n\n- a\n- b\n\n  c\n\n```js\nlet a;\n\nlet b;\n```\n\n| a |\n|---|\n| b |\n\n> quote\nlazy\n\nEnd.';
    let parsed = parseBlocks('');
    const kept = new Map<number, unknown>();
    for (let length = 1; length <= text.length; length++) {
      parsed = extendBlocks(parsed, text.slice(0, length));
      for (const block of parsed.blocks.slice(0, -2)) {
        assert.equal(kept.get(block.start) ?? block, block);
        kept.set(block.start, block);
      }
    }
    const whole = parseBlocks(text);
    assert.deepEqual(
      parsed.blocks.map((block) => written(block.tree)),
      whole.blocks.map((block) => written(block.tree)),
    );
    assert.deepEqual(
      parsed.blocks.map(({ start }) => start),
      whole.blocks.map(({ start }) => start),
    );
  });
});

describe('text that would block the window', () => {
  const hostile: Readonly<Record<string, string>> = {
    quotes: '>'.repeat(100_000),
    'quotes with spaces': '> '.repeat(3000),
    'lists in one line': `${'- '.repeat(3000)}a`,
    'items with an open bracket': '- a\n\n  [\n'.repeat(20_000),
    'items within items on each line': '- - a\n'.repeat(20_000),
    'lists below lists': Array.from({ length: 1000 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
    asterisks: '*'.repeat(rounds(100_000, 1_000_000)),
    'emphasis around a letter': `${'_'.repeat(100_000)}a${'_'.repeat(100_000)}`,
    'nested emphasis': `${'*'.repeat(300)}a${'*'.repeat(300)}`,
    'emphasis without end': '*_~a'.repeat(rounds(10_000, 30_000)),
    'links without end': '[a]('.repeat(rounds(10_000, 30_000)),
    'references without end': '[a][b]'.repeat(rounds(10_000, 30_000)),
  };
  for (const [name, text] of Object.entries(hostile))
    it(`is shown as source: ${name}`, () => {
      const tree = markdownToHast(text);
      assert.equal(writtenText(tree), text);
      const [paragraph] = tree.children;
      assert.deepEqual(paragraph?.type === 'element' && paragraph.properties.className, ['as-written']);
      assert.match(marked(text, text.slice(0, 5)), /^<p><mark>/);
    });

  if (isEverything)
    it('is shown as source after a maximum number of items', () => {
      const text = '- a\n\n  b\n\n'.repeat(7_000);
      const tree = markdownToHast(text);
      const { length } = elements(tree, 'li');
      assert.ok(length > 100 && length < 5_000, String(length));
      const [rest] = tree.children.slice(-1);
      assert.ok(rest?.type === 'element' && text.endsWith(writtenText({ type: 'root', children: [rest] })));
      assert.deepEqual(rest.properties.className, ['as-written']);
    });

  it('leaves the blocks around it unchanged', () => {
    const text = `A **word**.\n\n${'>'.repeat(1000)}\n\nAnother **one**.\n`;
    const tree = markdownToHast(text);
    assert.equal(elements(tree, 'strong').length, 2);
    assert.match(marked(text, 'Another'), /<mark>Another<\/mark> <strong>/);
  });

  it('excludes a long document with many marks in many blocks', () => {
    const count = rounds(2_000, 5_000);
    const text = `${'- **a** [b](https://c.example/)\n'.repeat(count)}\n${'A *word*.\n\n'.repeat(count)}`;
    assert.ok(elements(markdownToHast(text), 'li').length === count);
  });
});
