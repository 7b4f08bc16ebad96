import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ElementContent, Root } from 'hast';
import fc from 'fast-check';
import { annotate } from '../../webview/shared/annotate.ts';
import { extendBlocks } from '../../webview/shared/blocks.ts';
import type { FormulaOptions } from '../../src/core/language/markdown/formula-scan.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';

const answer: FormulaOptions = { isGrowing: false, isEscaped: false };

/**
 * Returns a tree as tags and text: a formula as `{TeX}`, a displayed one as `{{TeX}}`, and one without its end as
 * `{TeX…`.
 */
function written(node: Root | ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element')
    return node.type === 'root'
      ? node.children.map((child) => (child.type === 'doctype' ? '' : written(child))).join('')
      : '';
  const { tex, isDisplayed, isClosed } = node.properties;
  if (node.tagName === 'formula') {
    if (isClosed !== true) return `{${String(tex)}…`;
    return isDisplayed === true ? `{{${String(tex)}}}` : `{${String(tex)}}`;
  }
  return `<${node.tagName}>${node.children.map(written).join('')}</${node.tagName}>`;
}

function shown(markdown: string, options = answer): string {
  return written(markdownToHast(markdown, options)).replaceAll(/\n(?=<|$)/g, '');
}

describe('formulas in Markdown', () => {
  it('are found with each of the four delimiters', () => {
    assert.equal(shown('so $x^2$ and \\(a_1\\).'), '<p>so {x^2} and {a_1}.</p>');
    assert.equal(shown('so $$x^2$$ and \\[ E = mc^2 \\].'), '<p>so {{x^2}} and {{E = mc^2}}.</p>');
    assert.equal(shown('f\\(x\\), “$n$”, $1{,}000$'), '<p>f{x}, “{n}”, {1{,}000}</p>');
  });

  it('keep characters that Markdown would interpret', () => {
    assert.equal(shown('**bold $x_1 * y_2 * z$**'), '<p><strong>bold {x_1 * y_2 * z}</strong></p>');
    assert.equal(shown('$\\{a\\}$ and $\\$5$'), '<p>{\\{a\\}} and {\\$5}</p>');
    assert.equal(shown('$$\na\n- b\n# c\n= d\n$$\nmore'), '{{a\n- b\n# c\n= d}}<p>more</p>');
  });

  it('are shown on lines of their own, also in lists and quotes', () => {
    assert.equal(shown('So\n\\[\n\\frac{a}{b}\n\\]\nholds'), '<p>So</p>\n{{\\frac{a}{b}}}<p>holds</p>');
    assert.equal(
      shown('1. one\n\n   $$\n   x\n   - y\n   $$\n\n2. two').replaceAll('\n<', '<'),
      '<ol><li><p>one</p>\n{{x\n- y}}</li><li><p>two</p></li></ol>',
    );
    assert.equal(
      shown('> $$\n> x = 2\n> $$\n> so').replaceAll('\n', ''),
      '<blockquote>{{x = 2}}<p>so</p></blockquote>',
    );
  });

  it('exclude money, paths, code, and escapes', () => {
    for (const text of [
      'It costs $5 and $10 today',
      'from US$5 to US$10',
      '$5/month or $50/year',
      'price $5 (about 4 euros) and then x$',
      '$HOME/bin:$PATH',
      'the variables $foo and $bar',
      '$ 5 and $ 6',
      '$$$$ $$ $',
    ])
      assert.equal(shown(text), `<p>${text}</p>`);
    assert.equal(shown('`$x$` and \\$x$'), '<p><code>$x$</code> and $x$</p>');
    assert.equal(shown('\\[1\\] see \\[edit\\]'), '<p>[1] see [edit]</p>');
    assert.equal(shown('$$\nx\n\ny'), '<p>$$\nx</p><p>y</p>');
  });

  it('exclude escapes of programs in sources', () => {
    const source = { isGrowing: false, isEscaped: true };
    assert.equal(shown('\\[n=5\\] and \\(see\\)', source), '<p>[n=5] and (see)</p>');
    assert.equal(shown('\\[\\frac{1}{2}\\]', source), '{{\\frac{1}{2}}}');
  });

  it('are highlighted as a whole', () => {
    const text = 'So $a + b$ holds.';
    const start = text.indexOf('+');
    const wrap = { tagName: 'mark', properties: {} };
    const tree = annotate(markdownToHast(text), text, [{ start, end: start + 8, wrap, after: undefined }]);
    assert.equal(written(tree), '<p>So <mark>{a + b}</mark><mark> hol</mark>ds.</p>');
  });

  it('wait for their closing mark while a text grows, and never render a part as Markdown', () => {
    const text = 'So\n\\[\n\\frac{a_1}{b_1}\n- c_1\n\\]\nholds.';
    let parsed = extendBlocks({ text: '', blocks: [] }, '');
    const seen: string[] = [];
    for (let length = 1; length <= text.length; length++) {
      parsed = extendBlocks(parsed, text.slice(0, length));
      seen.push(parsed.blocks.map(({ tree }) => written(tree)).join(''));
    }
    assert.equal(seen.filter((each) => /<(em|ul)>/.test(each)).length, 0);
    assert.equal(seen.at(-1), '<p>So</p>{{\\frac{a_1}{b_1}\n- c_1}}<p>holds.</p>');
    const first = seen.findIndex((each) => each.includes('{{'));
    assert.ok(seen.slice(first).every((each) => each.includes('{{')));
  });

  it('never lose a word of the text, and never take long', () => {
    const piece = fc.constantFrom(
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      'a',
      '5',
      ' ',
      '\n',
      '> ',
      '- ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, isGrowing) => {
        const text = pieces.join('');
        const letters = (all: string): string => all.replaceAll(/<[^>]*>|[^a5]/g, '');
        assert.equal(letters(shown(text, { isGrowing, isEscaped: false })), letters(text));
      }),
    );
    for (const unit of ['$a ', '$$\n', '\\(', '\\[\n', '$'])
      markdownToHast(unit.repeat(5000), { isGrowing: true, isEscaped: false });
  });
});
