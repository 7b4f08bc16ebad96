import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Marpit } from '@marp-team/marpit';
import * as fc from 'fast-check';
import { findDates } from '../../src/core/language/dates.ts';
import { findDefinitions } from '../../src/core/language/definitions.ts';
import { cutUnits } from '../../src/core/language/units.ts';
import { mergeLines } from '../../src/core/language/merged-lines.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import { MAP_ARTIFACTS, NOTE_ARTIFACTS, type NoteArtifactKind } from '../../src/core/domain/artifact.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { sliceDocument } from '../../src/features/artifacts/model/slices.ts';
import { findRelations } from '../../src/features/artifacts/model/relations.ts';
import type { GeneratorDocument } from '../../src/features/artifacts/model/generator-document.ts';
import { keyTerms, termsOfDocument } from '../../src/features/artifacts/model/terms.ts';
import { mapGenerators, noteGenerators } from '../../src/features/artifacts/model/generators.ts';
import { drawSvg, findEnds, foldedAtFirst, layoutMap } from '../../webview/maps/layout.ts';
import { assertLinear } from '../support/growth.ts';
import { close, input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { rounds } from '../support/test-size.mjs';

const harbour = [
  '# Harbour',
  '',
  'A **tide table** is a list of the times at which the water is highest. The harbour was opened on 3 May 1998.',
  '',
  '## Ships',
  '',
  'Ballast refers to heavy material that keeps a ship upright. A ship without ballast is unsafe. The ship with ballast, and another ship with much ballast, are safe.',
  '',
  '- **Draught** – the depth of the ship below the water.',
  '',
  '| Ship | Length |',
  '| --- | --- |',
  '| Alba | 40 m |',
  '| Brisa | 35 m |',
  '',
  'The International Maritime Organization (IMO) meets in spring. A bollard is a post that ships are tied to.',
  '',
  '## Trade',
  '',
  'In 1883, the trade of grain began. The trade of grain ended between 1939 and 1945.',
].join('\n');
const mill = [
  '# Mill',
  '',
  'An **index** is a data structure that makes searches faster. The mill burnt in 1821.',
  '',
  '| Ship | Length |',
  '| --- | --- |',
  '| Corvo | 30 m |',
].join('\n');

const asking = { signal: new AbortController().signal, report: () => undefined };

async function add(index: NotebookIndex, text: string, name: string): Promise<string> {
  const document = readMarkdown(text);
  const source = await index.addSource(name, origin, { ...input(text, name), document });
  return source.id;
}

async function filled(): Promise<NotebookIndex> {
  const index = await open(makeFolder());
  await add(index, harbour, 'harbour.md');
  await add(index, mill, 'mill.md');
  return index;
}

const write = (
  index: NotebookIndex,
  kind: NoteArtifactKind,
): ReturnType<NotebookIndex['features']['artifacts']['write']> =>
  index.features.artifacts.write({ artifact: kind }, asking);

test('cites words of the sources in a note of every kind', async () => {
  const index = await filled();
  const words: Readonly<Record<NoteArtifactKind, string>> = {
    glossary: '**Ballast**',
    timeline: '**1883** In 1883, the trade of grain began.',
    index: '**ballast**',
    tables: '| Alba | 40 m |',
    cloze: '{{c1::Ballast}}',
    slides: 'marp: true',
  };
  for (const kind of NOTE_ARTIFACTS) {
    const { text, citations, documents } = await write(index, kind);
    assert.equal(documents.length, 2);
    const ids = new Set(citations.map(({ id }) => id));
    const links = citationLinks(text);
    assert.ok(links.length > 0, kind);
    for (const { id } of links) assert.ok(ids.has(id), kind);
    assert.ok(text.includes(words[kind]), kind);
    for (const { citation } of citations) {
      const { text: source } = index.cited.document(citation.documentId);
      assert.equal(source.slice(citation.span.start, citation.span.end), citation.quote);
      assert.equal(index.cited.find(citation).kind, 'found');
    }
  }
});

test('draws maps of headings and of terms that lead to words of the sources', async () => {
  const index = await filled();
  const { nodes } = await index.features.artifacts.map({ artifact: 'mindMap' }, asking);
  assert.deepEqual(
    nodes.map(({ title, depth }) => `${String(depth)} ${title}`),
    ['0 Harbour', '1 Ships', '1 Trade', '0 Mill'],
  );
  const words = nodes.map(({ place }) => {
    assert.ok(place);
    return index.cited.document(place.documentId).text.slice(place.start, place.end);
  });
  assert.deepEqual(words, ['# Harbour', '## Ships', '## Trade', '# Mill']);
  const concepts = await index.features.artifacts.map({ artifact: 'conceptMap' }, asking);
  assert.ok(concepts.nodes.some(({ title, depth }) => title === 'ballast' && depth === 0));
  assert.ok(concepts.nodes.some(({ depth }) => depth === 1));
});

test('counts what doesn’t fit', async () => {
  const index = await open(makeFolder());
  const letters = 'abcdefghijklmnopqrst';
  const word = (n: number): string => `zu${letters.charAt(Math.floor(n / 20))}${letters.charAt(n % 20)}mox`;
  const sections = Array.from(
    { length: 12 },
    (_, n) => `## Part ${word(380 + n)}\n\nThe guard opens the gate.\n`,
  );
  const words = Array.from({ length: 220 }, (_, n) => `The ${word(n)} is old. Nobody sees the ${word(n)}.`);
  const again = Array.from({ length: 220 }, (_, n) => `A ${word(n)} is tall.`);
  const defined = Array.from({ length: 6 }, (_, n) => `A quay is a wall that carries ${word(n)}.`);
  const others = ['pier', 'mole', 'wharf', 'jetty'].map(
    (name) => `A ${name} is a structure that ships lie at.`,
  );
  await add(
    index,
    ['# All', ...words, ...sections, '## Heights', ...again, '## Quays', ...defined, ...others].join('\n\n'),
    'all.md',
  );
  const terms = await write(index, 'index');
  assert.ok(terms.omitted > 20, String(terms.omitted));
  assert.match(terms.text, new RegExp(`Entries not shown: ${String(terms.omitted)}`));
  assert.match(terms.text, /^- \*\*gate\*\* .* … 6 more$/m);
  assert.match((await write(index, 'glossary')).text, /\*\*quay\*\*\n\n(?:- A quay .*\n){4}- … 2 more\n/);
});

test('puts a sentence that begins with a number sign on a slide', async () => {
  const index = await open(makeFolder());
  await add(
    index,
    '# Issues\n\n#5 was closed in the spring of 1998.\n\n#6 is open to this day.\n',
    'issues.md',
  );
  assert.match((await write(index, 'slides')).text, /- .{0,2}#5 was closed in the spring of 1998\./);
});

test('writes slides for Marp, and lets no source add another one', async () => {
  const index = await filled();
  const hostile = [
    '# Deck <!-- class: lead -->',
    '![bg](https://example.org/ground.png) The first words of the deck are shown here.',
    '## Second --- part',
    '- The item with a remark <!-- backgroundImage: url(https://example.org/a.png) --> is shown on the slide.',
    '- The item with a style <style>section { color: chartreuse }</style> is shown on the slide.',
    '- The item with a rule is\n\n  ---\n\n  shown on the slide.',
    '## Third <script>alert(1)</script>',
    'The words theme: gaia and $size: 4:3 are only words here.',
  ].join('\n\n');
  await add(index, hostile, 'hostile.md');
  const { text } = await write(index, 'slides');
  const marpit = new Marpit({ markdown: { html: true } });
  const { html, css } = marpit.render(text, { htmlAsArray: true });
  const titles = html.map((slide) => /<h[12][^>]*>(.*?)<\/h[12]>/.exec(slide)?.[1]);
  assert.deepEqual(titles.slice(0, 6), ['harbour.md', 'Harbour', 'Ships', 'Trade', 'mill.md', 'Mill']);
  assert.equal(titles[6], 'hostile.md');
  assert.equal(titles.at(-1), 'Sources');
  // Each heading begins a slide, and every slide has one.
  assert.equal(titles.length, text.match(/^##? /gm)?.length);
  assert.ok(titles.every((title) => title !== undefined));
  assert.match(html[2] ?? '', /<li>Ballast refers to heavy material.*<a href="citation\//);
  assert.match(html[2] ?? '', /data-marpit-pagination="3"/);
  for (const slide of html) {
    assert.doesNotMatch(slide, /<img|<script|<style|background-image|data-class|data-theme="gaia"/);
  }
  assert.doesNotMatch(css, /chartreuse/);
});

test('updates only what changed in a note, and keeps the user’s edits', async () => {
  const index = await open(makeFolder());
  const id = await add(index, harbour, 'harbour.md');
  const { text, citations, documents } = await write(index, 'glossary');
  const { title } = index.features.notes.add({ title: 'Glossary', text, citations });
  index.features.artifacts.generatedNotes.keep(title, {
    kind: 'glossary',
    text,
    documents,
    generatedAt: 1,
  });
  assert.deepEqual(index.features.artifacts.generatedNoteStates()[0]?.difference, {
    added: 0,
    changed: 0,
    removed: 0,
  });
  // The old text moved down by a line, and one term is new.
  const changed = `New at the head.\n\n${harbour}\n\nA quay is a wall that ships are tied to.`;
  await index.putDocument(id, {
    ...input(changed, 'harbour.md'),
    hash: 'another',
    document: readMarkdown(changed),
  });
  assert.deepEqual(index.features.artifacts.generatedNoteStates()[0]?.difference, {
    added: 0,
    changed: 1,
    removed: 0,
  });
  const fresh = await index.features.artifacts.write({ artifact: 'glossary', before: title }, asking);
  const mine = `${text}\nMy own line.\n`;
  const merged = mergeLines(text, fresh.text, mine);
  assert.match(merged, /\*\*quay\*\*/);
  assert.match(merged, /My own line\./);
  await add(index, mill, 'mill.md');
  assert.deepEqual(index.features.artifacts.generatedNoteStates()[0]?.difference, {
    added: 1,
    changed: 1,
    removed: 0,
  });
  index.features.notes.remove(title);
  assert.deepEqual(index.features.artifacts.generatedNoteStates(), []);
});

test('explains in one sentence why nothing can be generated, and stops abandoned work', async () => {
  const index = await open(makeFolder());
  await assert.rejects(write(index, 'glossary'), { code: 'empty', message: /Add sources first/ });
  await add(index, 'hm', 'plain.md');
  for (const kind of NOTE_ARTIFACTS)
    await assert.rejects(write(index, kind), {
      code: 'empty',
      message: /these sources [^.]*\. (?:Choose|Select) [^.]*\.$/i,
    });
  for (const kind of MAP_ARTIFACTS)
    await assert.rejects(index.features.artifacts.map({ artifact: kind }, asking), { code: 'empty' });
  const long = `${harbour}\n\n`.repeat(60);
  for (let n = 0; n < 8; n++) await add(index, `${long}${String(n)}`, `long-${String(n)}.md`);
  const controller = new AbortController();
  const counts: number[] = [];
  const report = ({ done }: { readonly done: number }): void => {
    counts.push(done);
    controller.abort();
  };
  await assert.rejects(
    index.features.artifacts.write({ artifact: 'index' }, { signal: controller.signal, report }),
    {
      code: 'cancelled',
    },
  );
  assert.equal(counts.length, 1);
});

test('counts items beyond the maximum of a note', () => {
  const text = Array.from(
    { length: 1_200 },
    (_, n) => `On 3 May ${String(1000 + (n % 900))}, ship ${String(n)} was built here.`,
  ).join('\n\n');
  const document = toStudioDocument(text);
  const { count, omitted } = noteGenerators.timeline.whole([noteGenerators.timeline.part(document)]);
  assert.deepEqual({ count, omitted }, { count: 100, omitted: 1_100 });
});

function toStudioDocument(text: string): GeneratorDocument {
  const { headings, format } = readMarkdown(text);
  return { documentId: 1, title: 'a.md', text, format, headings };
}

const line = fc.oneof(
  fc.constantFrom(
    ...harbour.split('\n'),
    ...mill.split('\n'),
    '\r',
    '**',
    '🙂 is a sign that says 😀',
    '3 May',
    '1998',
  ),
  fc.string({ maxLength: 30, unit: 'grapheme' }),
);

test('finds only what is in the text', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = lines.join('\n');
      const document = toStudioDocument(text);
      let last = 0;
      for (const { start, end, from } of findDates(text)) {
        assert.ok(start >= last && end > start && end <= text.length);
        assert.match(from, /^-?\d{4}(?:-\d\d(?:-\d\d)?)?$/);
        last = end;
      }
      for (const { term, sentence } of findDefinitions(text, 'markdown'))
        assert.ok(sentence.start <= term.start && term.start < term.end && term.end <= sentence.end);
      for (const kind of NOTE_ARTIFACTS) {
        const { whole, part } = noteGenerators[kind];
        for (const piece of whole([part(document)]).pieces)
          if (typeof piece !== 'string') assertWords(text, piece);
      }
      for (const kind of MAP_ARTIFACTS) {
        const { whole, part } = mapGenerators[kind];
        for (const { place } of whole([part(document)]).nodes)
          if (place !== undefined && place.end > 0) assertWords(text, place);
      }
    }),
    { numRuns: rounds(40, 200) },
  );
});

function assertWords(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
  assert.ok(start >= 0 && end > start && end <= text.length);
  assert.ok(text.slice(start, end).isWellFormed() || !text.isWellFormed());
}

test('takes linear time for any text', () => {
  for (const piece of [
    '3 May 1998 in 1883 to ',
    'A tide table is a list of the times that ',
    '**a**: b c d e f g\n- **',
  ])
    assertLinear((size) => {
      const text = piece.repeat(size / piece.length);
      findDates(text);
      findDefinitions(text, 'markdown');
    }, 2_000);
});

test('merges the lines of two versions, and keeps the user’s if both changed', () => {
  assert.equal(mergeLines('a\nb\nc', 'a\nB\nc', 'a\nb\nc\nmine'), 'a\nB\nc\nmine');
  assert.equal(mergeLines('a\nb\nc', 'a\nB\nc', 'a\nmine\nc'), 'a\nmine\nc');
  assert.equal(mergeLines('a\nb\nc', 'x\na\nb\nc\ny', 'a\nc'), 'x\na\nc\ny');
  assert.equal(mergeLines('a\n\nb\n\nc', 'a\n\nc', 'mine\n\na\n\nb\n\nc'), 'mine\n\na\n\nc');
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e', 'f'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const [base, other] = [a.join('\n'), b.join('\n')];
      assert.equal(mergeLines(base, other, base), other);
      assert.equal(mergeLines(base, base, other), other);
    }),
  );
});

test('places nodes of a map in rows of their own, next to their parents', () => {
  const depths = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 });
  fc.assert(
    fc.property(depths, fc.integer({ min: 0, max: 9 }), (wanted, folds) => {
      let before = -1;
      const nodes = wanted.map((depth, n) => {
        before = Math.min(depth, before + 1);
        return { title: `<${String(n)}>`, depth: before };
      });
      const ends = findEnds(nodes);
      const isFolded = (index: number): boolean => index % 10 < folds;
      const layout = layoutMap(nodes, ends, isFolded);
      const rows = layout.placed.filter(({ index }) => ends[index] === index + 1 || isFolded(index));
      assert.equal(new Set(rows.map(({ y }) => y)).size, rows.length);
      for (const { index, parent, x, y, position, siblings } of layout.placed) {
        assert.equal(layout.placed[parent] === undefined, nodes[index]?.depth === 0);
        if (parent >= 0) assert.ok((layout.placed[parent]?.x ?? 0) < x);
        assert.ok(x >= 0 && y > 0 && y < layout.height && x < layout.width);
        assert.ok(position >= 1 && position <= siblings);
      }
      if (nodes.length > 0) assert.doesNotMatch(drawSvg('a & b', nodes, layout), /<\d|& /);
    }),
  );
  const small = [0, 1, 2, 1].map((depth) => ({ title: String(depth), depth }));
  const narrow = layoutMap(small, findEnds(small), () => false, 260);
  assert.deepEqual(
    narrow.placed.map(({ x, y }) => [x, y]),
    [
      [12, 26],
      [32, 54],
      [52, 82],
      [32, 110],
    ],
  );
  assert.equal(narrow.width, 260);
  const long = Array.from({ length: 5_000 }, (_, n) => ({ title: String(n), depth: n % 50 === 0 ? 0 : 1 }));
  const shown = layoutMap(long, findEnds(long), (index) =>
    foldedAtFirst(long, findEnds(long), 60).has(index),
  );
  assert.equal(shown.placed.length, 100);
  // A map of one document opens with its main sections, also if they are many.
  const headings = Array.from({ length: 90 }, (_, n) => ({
    title: String(n),
    depth: n === 0 ? 0 : n % 3 === 0 ? 2 : 1,
  }));
  const opened = layoutMap(headings, findEnds(headings), (index) =>
    foldedAtFirst(headings, findEnds(headings), 60).has(index),
  );
  assert.equal(opened.placed.length, headings.filter(({ depth }) => depth < 2).length);
});

/** Returns chapters that define terms and mention dates, with code, lists, and quotations between them. */
function chapters(count: number): string {
  return Array.from({ length: count }, (_, n) =>
    [
      `## Chapter ${String(n)}`,
      `A **winch ${String(n)}** is a machine that lifts heavy loads by a rope. It was built on 3 May ${String(1500 + n)}.`,
      '```',
      '',
      `# no heading but code of ${String(1500 + n)}`,
      '```',
      `- **Draught ${String(n)}** – the depth of the ship below the water.`,
      '- Another item\n  that goes on in March 1821.',
      `Ballast ${String(n)} refers to heavy material that keeps a ship upright.`,
    ].join('\n\n'),
  ).join('\n\n');
}

for (const format of ['markdown', 'prose'] as const)
  test(`splits a long document of ${format} into slices with the same result, and lets others run between them`, async () => {
    const text = chapters(700);
    const read = readMarkdown(text);
    const document: GeneratorDocument = {
      ...{ documentId: 1, title: 'long', text: read.text, format },
      headings: format === 'markdown' ? read.headings : [],
    };
    const slices = [...sliceDocument(document)];
    assert.ok(slices.length > 3);
    assert.equal(slices.map((slice) => slice.text).join(''), read.text);
    assert.ok(slices.every((slice) => read.text.startsWith(slice.text, slice.from)));
    const placeStarts = (kind: 'glossary' | 'timeline'): unknown =>
      (noteGenerators[kind].part(document) as { readonly place: { start: number } }[]).map(
        ({ place }) => place.start,
      );
    assert.deepEqual(
      placeStarts('glossary'),
      findDefinitions(read.text, format).map(({ sentence }) => sentence.start),
    );
    // Without slices, all dates are found, and none in code.
    const timelineEntries = noteGenerators.timeline.part(document) as {
      readonly from: string;
      readonly words: string;
    }[];
    assert.equal(timelineEntries.filter(({ words }) => words.includes('was built on')).length, 700);

    // With little to cite, only the slices take time.
    const filler = Array.from(
      { length: rounds(2_500, 20_000) },
      (_, n) =>
        `## Day ${String(n)}\n\nThe grain was weighed again, and the wheel was looked at by all of them.`,
    ).join('\n\n');
    const dull = readMarkdown(`${harbour}\n\n${filler}`);
    const index = await open(makeFolder());
    await index.addSource('long', origin, {
      ...input(dull.text, 'long.md'),
      document: { ...dull, format, headings: format === 'markdown' ? dull.headings : [] },
    });
    const all = { sourceIds: undefined };
    const stopped = (): typeof asking => {
      const stopping = new AbortController();
      setImmediate(() => {
        stopping.abort();
      });
      return { ...asking, signal: stopping.signal };
    };
    for (const kind of ['glossary', 'timeline', 'index'] as const) {
      await assert.rejects(index.features.artifacts.write({ artifact: kind, ...all }, stopped()), {
        code: 'cancelled',
      });
      const { text: note } = await index.features.artifacts.write({ artifact: kind, ...all }, asking);
      assert.match(note, /tide table|1998|wheel/);
    }
    await assert.rejects(index.features.artifacts.map({ artifact: 'conceptMap', ...all }, stopped()), {
      code: 'cancelled',
    });
    await close(index);
  });

test('splits long Markdown at paragraphs, list items, and table rows, but never in code', () => {
  const paragraph = (n: number): string =>
    `The ${String(n)}th day was dull, and nothing came to the harbour.`;
  const many = (line: (n: number) => string, between: string): string =>
    Array.from({ length: 3_000 }, (_, n) => line(n)).join(between);
  const cases = [
    [many(paragraph, '\n\n'), /^The \d+th day/],
    [many((n) => `- ${paragraph(n)}\n\n  ${paragraph(n)}`, '\n'), /^- The/],
    [
      `| Day | What |\n| --- | --- |\n${many((n) => `| ${String(n)} | ${paragraph(n)} |`, '\n')}`,
      /^\| \d+ \|/,
    ],
    [`\`\`\`\n${many(paragraph, '\n\n')}\n\`\`\``, undefined],
  ] as const;
  for (const [text, begins] of cases) {
    const slices = [
      ...sliceDocument({ documentId: 1, title: 'long', text, format: 'markdown', headings: [] }),
    ];
    assert.equal(slices.map((slice) => slice.text).join(''), text);
    assert.equal(slices.length > 1, begins !== undefined);
    for (const { text: slice } of slices.slice(1)) assert.match(slice, begins ?? /^$/);
    assert.ok(begins === undefined || slices.every((slice) => slice.text.length < 110_000));
  }
});

test('finds the same terms slice by slice as in the whole text', () => {
  const read = readMarkdown(chapters(700));
  const document = {
    documentId: 1,
    title: 'long',
    text: read.text,
    format: 'markdown',
    headings: read.headings,
  } as const;
  const steps = [...termsOfDocument(document)];
  assert.ok(steps.length > 4);
  assert.ok(steps.slice(0, -1).every((step) => step.length === 0));
  const finalTerms = steps.at(-1)?.[0];
  assert.ok(finalTerms);
  // Finds the same sentences, each in its chapter.
  assert.deepEqual(
    finalTerms.sentences.map(({ start }) => start),
    cutUnits(read.text, 'markdown', []).flatMap(({ kind, start }) => (kind === 'fence' ? [] : [start])),
  );
  const places = finalTerms.terms.get('heavi load')?.places ?? [];
  assert.ok(places.length > 0);
  for (const { section, sentence } of places) {
    const { start, end } = finalTerms.sentences[sentence] ?? assert.fail();
    assert.match(read.text.slice(start, end), /heavy loads/);
    assert.ok((read.headings[section - 1]?.offset ?? Infinity) <= start);
    assert.ok((read.headings[section]?.offset ?? Infinity) > start);
  }
});

const collect = (...documents: readonly GeneratorDocument[]): string => {
  const { pieces } = noteGenerators.tables.whole(
    documents.map((document) => noteGenerators.tables.part(document)),
  );
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
};

describe('collected tables', () => {
  const recipe = (title: string, salt: string): string =>
    `# ${title}\n\n## Materials\n\n| Component | Amount |\n| --- | --- |\n| Salt | ${salt} |\n| H<sub>2</sub>O | 10<sup>3</sup> ml |\n`;

  test('keeps tables apart that only have the same columns', () => {
    const text = collect(toStudioDocument(recipe('Broth', '5 g')), toStudioDocument(recipe('Brine', '90 g')));
    assert.equal(text.match(/^## /gm)?.length, 2);
    assert.equal(text.match(/\| Component \| Amount \|/g)?.length, 2);
  });

  test('doesn’t merge tables below headings with the same words', () => {
    const specs = (price: string): string =>
      `## Specs\n\n| Property | Value |\n| --- | --- |\n| Price | ${price} |\n| Trial | yes |\n\n`;
    const text = collect(toStudioDocument(`# Offers\n\n${specs('5')}${specs('6')}${specs('7')}`));
    assert.equal(text.match(/^## /gm)?.length, 3);
  });

  test('leaves out tables whose first row is one of their values', () => {
    const rows = '| Monitoring | Yes |\n| --- | --- |\n| Reports | Yes |\n| Insurance | No |';
    assert.equal(collect(toStudioDocument(rows)), '');
  });

  test('merges the tables of a series and names the table of each row', () => {
    const yearly = (year: number, ships: number): string =>
      `# Report ${String(year)}\n\n## Traffic\n\n| Kind | Ships |\n| --- | --- |\n| Grain | ${String(ships)} |\n| Coal | 7 |\n`;
    const text = collect(
      { ...toStudioDocument(yearly(2014, 40)), title: 'report-2014.md' },
      { ...toStudioDocument(yearly(2015, 52)), documentId: 2, title: 'report-2015.md' },
    );
    assert.equal(text.match(/^## /gm)?.length, 1);
    assert.match(text, /\| Table \| Kind \| Ships \| \|/);
    assert.match(text, /\| Traffic – report-2014\.md \| Grain \| 40 \|/);
    assert.match(text, /\| Traffic – report-2015\.md \| Grain \| 52 \|/);
  });

  test('cleans cells of markup without changing their meaning', () => {
    const text = collect(toStudioDocument(recipe('Broth', '**5** [g](https://example.org)')));
    assert.match(text, /\| Salt \| 5 g \|/);
    assert.match(text, /\| H₂O \| 10³ ml \|/);
  });

  test('moves a currency sign to the number that it belongs to', () => {
    const rows = [
      '| | 2015 | 2014 |',
      '| --- | --- | --- |',
      '| Cash | $ (749,439) $ | 16,483 |',
      '| Debt | 5 | 6 |',
    ];
    assert.match(
      collect(toStudioDocument(rows.join('\n'))),
      /\| Cash \| .{0,2}\$ \(749,439\) \| .{0,2}\$ 16,483 \|/,
    );
  });

  test('names a column by all rows of its header', () => {
    const rows = [
      '| | 2015 | | 2014 | |',
      '| --- | --- | --- | --- | --- |',
      '| | High | Low | High | Low |',
      '| First quarter | 69.1 | 45.1 | 65.4 | 42.8 |',
      '| Second quarter | 97.5 | 60.0 | 64.3 | 44.2 |',
    ];
    assert.match(
      collect(toStudioDocument(rows.join('\n'))),
      /\| 2015 High \| 2015 Low \| 2014 High \| 2014 Low \|/,
    );
  });

  test('leaves out tables of contents, and rows that name no columns', () => {
    const contents =
      '| Preface . . . . . . | . ix |\n| - | - |\n| Authors . . . . . . | . xi |\n| Notes . . . . . . | . xii |';
    const list =
      '| BATCH | Run in batch mode. Takes options. |\n| - | - |\n| CHECK | Check the files. |\n| BUILD | Build them. |';
    assert.equal(collect(toStudioDocument(contents), toStudioDocument(list)), '');
  });
});

describe('glossary', () => {
  const defined = (text: string): string[] =>
    (noteGenerators.glossary.part(toStudioDocument(text)) as { readonly term: string }[]).map(
      ({ term }) => term,
    );

  test('includes abbreviations, given names, and definition lists', () => {
    const text = [
      'Row access control (RAC) limits what a user sees, and MFA (multi-factor authentication) is required.',
      'Harbor Works Inc. (the “Company”) runs the port.',
      '“Closing Date” means the third day after the approval.',
      '- **Quay**: a wall that ships lie at.',
      '## Definitions',
      '- **Draught**: depth of the ship below water.',
    ].join('\n\n');
    assert.deepEqual(defined(text), ['RAC', 'MFA', 'Company', 'Closing Date', 'Quay', 'Draught']);
  });

  test('excludes items that are instructions', () => {
    const text = [
      '- **Option 1**: Chunk to 10 cm plates and wait for a day.',
      '- **Mail**: New York Department of State, One Commerce Plaza.',
      '- **Time period**: The notice must be published once per week.',
    ].join('\n');
    assert.deepEqual(defined(text), []);
  });

  test('is empty if fewer than five terms are defined', () => {
    const { count } = noteGenerators.glossary.whole([noteGenerators.glossary.part(toStudioDocument(mill))]);
    assert.equal(count, 0);
  });
});

describe('terms', () => {
  test('are noun phrases without markup, file parts, verbs, and adverbs', () => {
    const text = Array.from({ length: 6 }, (_, n) =>
      [
        `![img](images/plate${String(n)}.png) Make sure that the growth medium is sterile, and add the antibiotic quickly.`,
        'We add the antibiotic to the growth medium, and see `medium.txt` or https://example.org/medium.html.',
        'A colony of the strain is on the growth medium. We see the colony adversely affected.',
      ].join(' '),
    ).join('\n\n');
    const { terms } = keyTerms([...termsOfDocument(toStudioDocument(text))].flat(), 50);
    const titles = terms.map(({ title }) => title);
    for (const title of ['growth medium', 'antibiotic', 'colony'])
      assert.ok(titles.includes(title), titles.join());
    assert.doesNotMatch(
      titles.join('\n'),
      /img|png|\bsee\b|make|sure|\badd\b|adversely|quickly|txt|html|https/,
    );
  });

  test('end before the label of the next line', () => {
    const text = Array.from(
      { length: 4 },
      (_, n) =>
        `From: Ida Lind\nTo: Tom Reed\nDate: 3 May, ${String(n)} o’clock\n\nThe barge is in the lock.`,
    ).join('\n\n');
    const { terms } = keyTerms([...termsOfDocument(toStudioDocument(text))].flat(), 50);
    const titles = terms.map(({ title }) => title);
    assert.deepEqual(
      titles.filter((title) => title.includes('Reed')),
      ['Tom Reed'],
    );
  });
});

describe('relations of a concept map', () => {
  const relationsIn = (text: string): string[] => {
    const read = readMarkdown(text);
    const document: GeneratorDocument = {
      ...{ documentId: 1, title: 'text', text: read.text, format: read.format, headings: read.headings },
    };
    return [...termsOfDocument(document)]
      .flat()
      .flatMap((part) =>
        [...findRelations(document, part)].flatMap(([key, { words }]) =>
          words === '' ? [] : [key.replace('\n', ` ${words} `)],
        ),
      );
  };
  /** Makes terms of "engine" and "pump", which recur after articles. */
  const known =
    'The engine is loud. An engine is old. It is an engine. A pump is loud. The pump is old. It is a pump.';

  test('are the words between two terms, without the article', () => {
    assert.deepEqual(relationsIn(`${known} The engine drives the pump.`), ['engin drives pump']);
    assert.deepEqual(relationsIn(`${known} The pump (see below) is driven by an engine.`), [
      'pump is driven by engin',
    ]);
  });

  test('prefer a verb to a preposition', () => {
    assert.deepEqual(relationsIn(`${known} The pump of the engine. The pump is driven by the engine.`), [
      'pump is driven by engin',
    ]);
    assert.deepEqual(relationsIn(`${known} The pump of the engine is new.`), ['pump of engin']);
  });

  test('are unknown if the words join lists, clauses, or other subjects', () => {
    for (const sentence of [
      'The engine and the pump are new.',
      'The engine is new, the pump is not.',
      'The engine, which we bought with the pump, is new.',
      'The noise of the engine is used by the pump.',
      'The engine is pump-like.',
      'The engine is used by the pump maker.',
    ])
      assert.deepEqual(relationsIn(`${known} ${sentence}`), [], sentence);
  });

  test('are in the map with their sentence, in both directions', async () => {
    const index = await open(makeFolder());
    await add(index, `${known} The engine drives the pump. ${'It rains again. '.repeat(20)}`, 'works.md');
    const { nodes } = await index.features.artifacts.map({ artifact: 'conceptMap' }, asking);
    const engine = nodes.findIndex(({ title, depth }) => title === 'engine' && depth === 0);
    const { relation, quote, place } = nodes[engine + 1]!;
    assert.deepEqual(relation, { words: 'drives', isReversed: false });
    assert.equal(quote, 'engine drives the pump');
    assert.ok(place);
    const { text } = index.cited.document(place.documentId);
    assert.equal(text.slice(place.start, place.end), 'The engine drives the pump.');
    const pump = nodes.findIndex(({ title, depth }) => title === 'pump' && depth === 0);
    const below = nodes.slice(pump + 1).filter(({ title }) => title === 'engine');
    assert.deepEqual(below[0]?.relation, { words: 'drives', isReversed: true });
  });
});

describe('timeline', () => {
  test('excludes lists of documents, footers, and accounting periods', () => {
    const lines = [
      'The port was opened on 3 May 1998.',
      'Exhibit 10.1 Lease Agreement dated as of June 3, 2005, filed with Form 8-K.',
      'For the year ended December 31, 2015, sales rose.',
      'Last updated on 4 March 2020 by the office.',
      '# Report of 5 June 2001',
    ];
    const dates = (
      noteGenerators.timeline.part(toStudioDocument(lines.join('\n\n'))) as { readonly from: string }[]
    ).map(({ from }) => from);
    assert.deepEqual(dates, ['1998-05-03']);
  });
});

describe('mind map', () => {
  test('excludes covers, and folds only children', () => {
    const text =
      '# Annual Report\n\n## Contents\n\nPage 1\n\n## Part One\n\n### Business\n\n#### Fleet\n\nShips.\n\n#### Crew\n\nPeople.\n\n## Part Two\n\nMore.\n\n## References\n\nBooks.\n';
    const { nodes } = mapGenerators.mindMap.whole([mapGenerators.mindMap.part(toStudioDocument(text))]);
    assert.deepEqual(
      nodes.map(({ title, depth }) => `${String(depth)} ${title}`),
      ['0 Annual Report', '1 Part One', '2 Fleet', '2 Crew', '1 Part Two'],
    );
  });

  test('has the title of the document at its root if the title isn’t a heading', () => {
    const paragraph = `${'The agent explores the world and learns skills. '.repeat(4)}\n\n`;
    for (const [begin, title] of [
      ['\n\nODYSSEY: AGENTS WITH SKILLS\n\nLi, Liu\n\n', 'ODYSSEY: AGENTS WITH SKILLS'],
      ['Nature | Vol 5\n\n', 'paper.txt'],
      ['Dear Ida,\n\n', 'paper.txt'],
      ['Mill Lane 4\nHarbor Town\n\n', 'paper.txt'],
      ['', 'paper.txt'],
    ] as const) {
      const text = `${begin}Introduction\n\n${paragraph}Methods\n\n${paragraph}Results\n\n${paragraph}`;
      const { headings, format } = readPlainText(text, 'text/plain');
      const document: GeneratorDocument = { documentId: 1, title: 'paper.txt', text, format, headings };
      const { nodes } = mapGenerators.mindMap.whole([mapGenerators.mindMap.part(document)]);
      assert.deepEqual(
        nodes.map((node) => node.title),
        [title, 'Introduction', 'Methods', 'Results'],
        begin,
      );
    }
  });

  test('places sections by their numbers', () => {
    const text = '# Paper.md\n\n# 1 Basics\n\n# 1.1 Words\n\n# 2 Method\n\n# 2.1 Data\n\n# 3.4 Other\n';
    const { nodes } = mapGenerators.mindMap.whole([mapGenerators.mindMap.part(toStudioDocument(text))]);
    assert.deepEqual(
      nodes.map(({ title, depth }) => `${String(depth)} ${title}`),
      ['0 Paper.md', '1 1 Basics', '2 1.1 Words', '1 2 Method', '2 2.1 Data', '1 3.4 Other'],
    );
  });
});
