import type { CoverageCounts, CoverageNode, DocumentCount, SectionCount } from '../../model/coverage.ts';

/** Node under construction. */
interface Growing extends CoverageNode {
  passages: number;
  cited: number;
  start: number | undefined;
  readonly children: Growing[];
}

/**
 * Builds a tree of the parts of a notebook that answers cite: sources, their documents, and the documents' headings,
 * each with its children. A section without passages of its own represents its subsections. Text before the first
 * heading belongs to the document itself.
 */
export function coverageTree({ documents, sections }: CoverageCounts): readonly CoverageNode[] {
  const sources = new Map<string, Growing>();
  const byId = new Map<number, Growing>();
  for (const document of documents) {
    const { sourceId, sourceTitle, documentId, passages, cited } = document;
    const source = sources.get(sourceId) ?? grow('source', sourceTitle, sourceId, undefined);
    sources.set(sourceId, source);
    source.passages += passages;
    source.cited += cited;
    const node = grow('document', documentTitle(document), sourceId, documentId);
    node.passages = passages;
    node.cited = cited;
    node.start = 0;
    source.children.push(node);
    byId.set(documentId, node);
  }
  const paths = new Map<Growing, Map<string, Growing>>();
  for (const section of sections) {
    const document = byId.get(section.documentId);
    if (document !== undefined) addSection(document, section, paths);
  }
  return [...sources.values()];
}

/** Returns the title of a document, or its path if it has no title. */
export function documentTitle({ title, key, sourceTitle }: DocumentCount): string {
  return [title, key, sourceTitle].find((words) => words.trim() !== '') ?? '';
}

function grow(
  kind: CoverageNode['kind'],
  title: string,
  sourceId: string,
  documentId: number | undefined,
): Growing {
  return { kind, title, sourceId, documentId, start: undefined, passages: 0, cited: 0, children: [] };
}

function addSection(
  document: Growing,
  { headings, start, passages, cited }: SectionCount,
  paths: Map<Growing, Map<string, Growing>>,
): void {
  let above = document;
  for (const title of headings) {
    const known = paths.get(above) ?? new Map<string, Growing>();
    paths.set(above, known);
    const node = known.get(title) ?? grow('section', title, document.sourceId, document.documentId);
    if (!known.has(title)) {
      known.set(title, node);
      above.children.push(node);
    }
    node.passages += passages;
    node.cited += cited;
    node.start = Math.min(node.start ?? start, start);
    above = node;
  }
}
