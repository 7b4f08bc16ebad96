import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MapNode } from '../../src/notebook/studio.ts';
import { drawGraph, makeGraph, LABEL_HEIGHT, type Graph } from '../../webview/studio/graph-layout.ts';

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
  assert.deepEqual(graph.lines[0], { from: 0, to: 1, place: place(1) });
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
