import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { MapNode } from '../../src/core/domain/artifact.ts';
import {
  drawGraph,
  labelLines,
  makeGraph,
  LABEL_HEIGHT,
  type Graph,
} from '../../webview/maps/graph-layout.ts';

const place = (start: number): MapNode['place'] => ({ documentId: 1, start, end: start + 1 });

/** Returns a concept map of groups whose terms occur together. */
function makeMap(groups: number, size: number): MapNode[] {
  return Array.from({ length: groups * size }, (_, n): MapNode[] => {
    const group = Math.floor(n / size);
    const others = Array.from({ length: size }, (__, other) => group * size + other).filter(
      (other) => other !== n,
    );
    return [
      { title: `Term ${String(n)}`, depth: 0, place: place(n) },
      ...others.map((other) => ({ title: `Term ${String(other)}`, depth: 1, place: place(100 * n + other) })),
    ];
  }).flat();
}

function covering({ terms }: Graph): number {
  return terms.reduce(
    (sum, a, n) =>
      sum +
      terms
        .slice(n + 1)
        .filter((b) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < LABEL_HEIGHT)
        .length,
    0,
  );
}

test('draws each term and pair once, with a line that leads to the words of both', () => {
  const graph = makeGraph(makeMap(2, 3), 600, 400);
  assert.equal(graph.terms.length, 6);
  assert.equal(graph.lines.length, 6);
  const [first] = graph.lines;
  assert.deepEqual(first, { from: 0, to: 1, place: place(1), relation: undefined, quote: undefined });
  assert.deepEqual(makeGraph(makeMap(2, 3), 600, 400), graph);
  assert.deepEqual(makeGraph([], 600, 400), { terms: [], lines: [] });
});

test('draws sixty terms within the area without overlap, close to their group', () => {
  const graph = makeGraph(makeMap(10, 6), 900, 700);
  const { terms, lines } = graph;
  assert.equal(covering(graph), 0);
  for (const { x, y, width } of terms) {
    assert.ok(x - width / 2 >= 0 && x + width / 2 <= 900);
    assert.ok(y - LABEL_HEIGHT / 2 >= 0 && y + LABEL_HEIGHT / 2 <= 700);
  }
  const apart = (from: number, to: number): number =>
    Math.hypot(terms[from]!.x - terms[to]!.x, terms[from]!.y - terms[to]!.y);
  const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;
  const joined = mean(lines.map(({ from, to }) => apart(from, to)));
  const any = mean(
    terms.flatMap((_, from) => terms.slice(from + 1).map((__, n) => apart(from, from + 1 + n))),
  );
  assert.ok(joined < any / 2, `${String(joined)} between joined ones, ${String(any)} between any`);
});

test('places terms at valid positions within the area for any map', () => {
  const node = fc.record({ title: fc.string({ maxLength: 40 }), depth: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(fc.array(node, { maxLength: 40 }), fc.integer({ min: 520, max: 2_000 }), (nodes, width) => {
      for (const { x, y } of makeGraph(nodes, width, 400).terms)
        assert.ok(x >= 0 && x <= width && y >= 0 && y <= 400, `${String(x)} ${String(y)}`);
    }),
    { numRuns: 50 },
  );
});

test('draws a picture of the graph with all terms and lines, and escapes its text for XML', () => {
  const nodes = makeMap(2, 3).map((node) => ({ ...node, title: `${node.title} <&>` }));
  const graph = { ...makeGraph(nodes, 600, 400), width: 600, height: 400 };
  const svg = drawGraph('A & B', nodes, graph);
  assert.equal(svg.match(/<rect /g)?.length, graph.terms.length);
  assert.equal(svg.match(/<line /g)?.length, graph.lines.length);
  assert.match(svg, /^<svg [^>]*viewBox="0 0 600 400"/);
  assert.match(svg, /<title>A &amp; B<\/title>/);
  assert.doesNotMatch(svg, /NaN|<&|& /);
});

describe('labels of relations', () => {
  const related = (words: string, isReversed: boolean): MapNode[] => [
    { title: 'agent', depth: 0 },
    {
      title: 'skill library',
      depth: 1,
      relation: { words, isReversed },
      quote: `agent ${words} skill library`,
    },
  ];

  test('point to the object of the relation', () => {
    const graph = makeGraph(related('uses', false), 900, 400);
    const [from, to] = graph.terms;
    assert.ok(from !== undefined && to !== undefined);
    const wide = {
      ...graph,
      terms: [
        { ...from, x: 100 },
        { ...to, x: 700 },
      ],
    };
    assert.equal(labelLines(wide, () => false)[0]?.label, 'uses →');
    const reversed = { ...wide, lines: makeGraph(related('is filled by', true), 900, 400).lines };
    assert.equal(labelLines(reversed, () => false)[0]?.label, '← is filled by');
  });

  test('appear only where there is room, and always on the line under the pointer', () => {
    const graph = makeGraph(related('uses', false), 900, 400);
    const [from, to] = graph.terms;
    assert.ok(from !== undefined && to !== undefined);
    const narrow = {
      ...graph,
      terms: [
        { ...from, x: 100, y: 50 },
        { ...to, x: 110, y: 74 },
      ],
    };
    assert.deepEqual(
      labelLines(narrow, () => true),
      [],
    );
    assert.equal(labelLines(narrow, () => true, 0)[0]?.label, 'uses →');
  });

  test('cover no term and no other label in a ring of 16 terms', () => {
    const nodes = Array.from({ length: 16 }, (_, n): MapNode[] => [
      { title: `Term ${String(n)}`, depth: 0 },
      {
        ...{ title: `Term ${String((n + 1) % 16)}`, depth: 1 },
        relation: { words: 'uses', isReversed: false },
      },
    ]).flat();
    const graph = makeGraph(nodes, 1_400, 900);
    const labels = labelLines(graph, () => false);
    assert.ok(labels.length > 3, String(labels.length));
    for (const [n, { x, y, label }] of labels.entries()) {
      const half = (label.length * 6) / 2;
      for (const term of graph.terms)
        assert.ok(
          Math.abs(x - term.x) >= half + term.width / 2 || Math.abs(y - term.y) >= 8 + LABEL_HEIGHT / 2,
        );
      for (const other of labels.slice(n + 1))
        assert.ok(Math.abs(x - other.x) >= 2 * half || Math.abs(y - other.y) >= 16);
    }
  });

  test('are in the exported picture', () => {
    const nodes = related('uses <&>', false);
    const graph = { ...makeGraph(nodes, 900, 400), width: 900, height: 400 };
    const [from, to] = graph.terms;
    assert.ok(from !== undefined && to !== undefined);
    const terms = [
      { ...from, x: 100 },
      { ...to, x: 700 },
    ];
    assert.match(drawGraph('A', nodes, { ...graph, terms }), />uses &lt;&amp;&gt; →<\/text>/);
  });
});
