import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer, Citation } from '../../src/core/domain/answer.ts';
import { citationLink, citationLinks } from '../../src/core/domain/citation-links.ts';
import { sanitizeMarkdown } from '../../src/core/domain/sanitize-markdown.ts';
import { fileName, freeTitle, noteTitle } from '../../src/core/domain/note.ts';
import { answerAsNote, citationId, lastNumber, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import { testCitation } from '../support/test-citation.ts';

function citation(number: number, quote: string, more: Partial<Citation> = {}): Citation {
  const span = { start: number, end: number + quote.length };
  return testCitation({ number, place: `L${String(number)}`, span, quote, ...more });
}

const links = (text: string): string[] => citationLinks(text).map(({ start, end }) => text.slice(start, end));

test('turns any text into a title that can name a file', () => {
  assert.equal(noteTitle('  Why\n is  a/b not c\\d?\u0007 '), 'Why is a b not c d?');
  assert.equal(noteTitle('..hidden'), 'hidden');
  assert.equal(noteTitle(' /\u200b/ '), '');
  const long = noteTitle('How often are tomatoes watered '.repeat(9));
  assert.ok(long.length <= 81 && long.endsWith('…') && !long.includes(' …'), long);
  assert.equal(noteTitle(`${'a'.repeat(79)}😀b`), `${'a'.repeat(79)}…`);
  const usedTitles = new Set(['Why', 'Why 2']);
  assert.equal(
    freeTitle('Why', (title) => usedTitles.has(title)),
    'Why 3',
  );
});

test('turns any text into a portable file name', () => {
  assert.equal(fileName('How often are tomatoes watered?', 'Note'), 'How often are tomatoes watered');
  assert.equal(fileName(' <a>: "b" | c/d?* . .', 'Note'), 'a b c d');
  for (const none of ['', '???', '. .', '\u200B']) assert.equal(fileName(none, 'Note'), 'Note');
  assert.equal(fileName('con', 'Note'), '_con');
  assert.equal(fileName('LPT1.notes', 'Note'), '_LPT1.notes');
  assert.equal(fileName('Connections', 'Note'), 'Connections');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (words) => {
      const name = fileName(words, 'Note');
      assert.doesNotMatch(name, /[<>:"|?*/\\\p{Cc}]|^\.|[. ]$|^(?:con|nul)$/iu);
      assert.ok(name !== '' && name.length <= 82);
    }),
  );
});

test('turns an answer into a note whose marks lead to their cited text', () => {
  const text = 'Tomatoes are watered. Basil helps!\n\nBoth grow.';
  const citations = [
    citation(1, 'watered', { span: { start: 5, end: 12 } }),
    citation(1, 'helps'),
    citation(2, 'grow'),
  ];
  const answer: Answer = {
    kind: 'written',
    model: 'm',
    text,
    statements: [
      { start: 0, end: 21, verdict: 'supported', citations: [0] },
      { start: 22, end: 34, verdict: 'supported', citations: [1, 0] },
      { start: 36, end: 46, verdict: 'none', citations: [] },
    ],
    citations,
  };
  const note = answerAsNote('What is\nwatered?\n\n```ts\nlet a;\n```', answer, 'inline');
  const [a, b] = citations.map(citationId);
  assert.equal(
    note.text,
    `# What is watered?\n\nTomatoes are watered. [1](citation/${a!} "garden.md, L1")` +
      ` Basil helps! [2](citation/${b!} "garden.md, L1") [1](citation/${a!} "garden.md, L1")\n\nBoth grow.\n\n`,
  );
  assert.deepEqual(note.citations, [
    { id: a, citation: citations[0] },
    { id: b, citation: citations[1] },
  ]);
  assert.equal(lastNumber(note.text), 2);
  const below = answerAsNote('And?', answer, 'inline', { level: 2, above: note.text });
  assert.match(below.text, /^## And\?\n\nTomatoes are watered\. \[3\]/);

  assert.equal(
    noteAsMarkdown(`${note.text}More [9](citation/0000000000000000).\n`, note.citations),
    `# What is watered?\n\nTomatoes are watered.[^1] Basil helps![^2][^1]\n\nBoth grow.\n\n` +
      `More [9](citation/0000000000000000).\n\n` +
      `[^1]: garden.md, L1, file:///garden.md: “watered”\n[^2]: garden.md, L1, file:///garden.md: “helps”\n`,
  );
  assert.equal(noteAsMarkdown('Nothing cited.', []), 'Nothing cited.\n');
});

test('marks unsupported and contradicted statements in a note', () => {
  const text = 'Roses are pruned. Basil sleeps.';
  const cited = citation(1, 'Basil never sleeps');
  const statements = [
    { start: 0, end: 17, verdict: 'not-found', citations: [] },
    { start: 18, end: 31, verdict: 'contradicted', citations: [0] },
  ] as const;
  const answer = { kind: 'written', model: 'm', text, statements, citations: [cited] } as const;
  assert.equal(
    answerAsNote('Q', answer, 'inline').text,
    '# Q\n\nRoses are pruned. [unsupported] Basil sleeps. ' +
      `[1](citation/${citationId(cited)} "garden.md, L1") [contradicted]\n\n`,
  );
});

test('puts the mark of a quoted table after it, and loads nothing', () => {
  const cited = citation(1, '| beans | ![2](https://example.org/x.png) |');
  const header = '| plant | <img src="x"> |\n|---|---|';
  const quotes = [{ citation: 0, format: 'markdown', languageId: undefined, header }] as const;
  assert.equal(
    answerAsNote('Q', { kind: 'quotes', text: 'Lead:', quotes, citations: [cited] }, 'inline').text,
    '# Q\n\nLead:\n\n> | plant | &lt;img src="x"> |\n> |---|---|\n> | beans | &#33;[2](https://example.org/x.png) |\n' +
      `>\n> [1](citation/${citationId(cited)} "garden.md, L1")\n\n`,
  );
});

test('writes quotes as block quotes and code, and an empty answer as one sentence', () => {
  const citations = [citation(1, 'Two\nlines'), citation(2, 'let a = `x`;')];
  const quotes = [
    { citation: 0, format: 'prose', languageId: undefined },
    { citation: 1, format: 'code', languageId: 'ts' },
  ] as const;
  const [a, b] = citations.map(citationId);
  assert.equal(
    answerAsNote('Q', { kind: 'quotes', text: 'Lead:', quotes, citations }, 'inline').text,
    `# Q\n\nLead:\n\n> Two\n> lines [1](citation/${a!} "garden.md, L1")\n\n` +
      `\`\`\`ts\nlet a = \`x\`;\n\`\`\`\n\n[2](citation/${b!} "garden.md, L2")\n\n`,
  );
  const nothing = answerAsNote('Q', { kind: 'nothing', text: 'Nothing.', citations }, 'inline');
  assert.deepEqual(nothing, { text: '# Q\n\nNothing.\n\n', citations: [] });
});

test('finds a link again whatever its source is called, but not in fenced code', () => {
  const id = '0123456789abcdef';
  for (const title of ['a "b" `c`', '<img src=x>', 'a\n\nb\\', '[x](y)', 'long '.repeat(999), ''])
    assert.deepEqual(links(`x ${citationLink('1', id, { title, place: '' })} y`).length, 1, title);
  const link = citationLink('1', id, { title: 'T', place: 'p. 1' });
  assert.equal(link, `[1](citation/${id} "T, p. 1")`);
  assert.deepEqual(links(`${link}${link}\n\n~~~\n${link}\n~~~\n${link}\n\n\`\`\`md\n${link}`), [
    link,
    link,
    link,
  ]);
  assert.deepEqual(links(`\`\`\`not a fence\`\`\` ${link}`), [link]);
  assert.deepEqual(
    links('[1](citation/xyz) [1](citation/0123456789abcdef0) [a] (citation/0123456789abcdef)'),
    [],
  );
});

test('keeps harmless text unchanged', () => {
  const text =
    'See [the docs](https://example.org "t") and [1](citation/0123456789abcdef "a"), `Map<string, number>`, a < b!\n\n' +
    '```ts\nconst a: Array<string> = b![0];\n```\n\n| a | b |\n|---|---|\n| `<b>` | 2 |\n\nWow! [mail](mailto:a@example.org)\n';
  assert.equal(sanitizeMarkdown(text), text);
});
