import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SavedPageView } from '../../src/features/pdf/protocol.ts';
import type { Span } from '../../src/core/language/span.ts';
import { annotate } from '../shared/annotate.ts';
import { colorCodeBlocks } from '../shared/code-colors.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import { renderTree } from '../shared/render.tsx';
import { PageHead } from './page-head.tsx';
import { cutMarkdown, endOfTitle } from '../../src/core/language/markdown/pieces.ts';

interface ReadingViewProps {
  readonly view: SavedPageView;
  readonly mark: Span | undefined;
  /** Increases with each request to show the mark. */
  readonly reveals: number;
  readonly onOpenFile: () => void;
}

/** Maximum length of Markdown to render at once, in UTF-16 code units. More would block the window. */
const PIECE_SIZE = 16_000;

/** Shows a saved page with the cited words marked. */
export function ReadingView({ view, mark, reveals, onOpenFile }: ReadingViewProps): JSX.Element {
  const pieces = useMemo(() => cutMarkdown(view.markdown, PIECE_SIZE), [view.markdown]);
  const marked = mark === undefined ? 0 : pieces.findLastIndex(({ start }) => start <= mark.start);
  // A title in the text would appear below the author and date, so skip it.
  const titleEnd = endOfTitle(view.markdown, view.title);
  const bodyStart = mark === undefined || mark.start >= titleEnd ? titleEnd : 0;
  const shown = useGrowingRange(marked, pieces.length);
  const article = useRef<HTMLElement>(null);
  const isMarkShown = shown.from <= marked && marked < shown.to;

  useEffect(() => {
    if (isMarkShown) article.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [isMarkShown, mark, reveals]);

  return (
    <main class="page">
      <PageHead view={view} isTitled={bodyStart < titleEnd} article={article} onOpenFile={onOpenFile} />
      <article
        class="markdown"
        lang={view.byline?.language}
        ref={article}
        aria-busy={shown.to - shown.from < pieces.length}
      >
        {pieces.slice(shown.from, shown.to).map(({ start, end }) => (
          <MarkdownPiece
            key={start}
            markdown={view.markdown}
            start={Math.max(start, bodyStart)}
            end={end}
            mark={mark}
          />
        ))}
      </article>
    </main>
  );
}

/**
 * Returns the range of pieces to show: first the target and the one before it, then one more on each side at a time.
 * The browser keeps its position when content is added above the window.
 */
function useGrowingRange(first: number, total: number): { readonly from: number; readonly to: number } {
  const [range, setRange] = useState({ from: Math.max(0, first - 1), to: Math.min(total, first + 1) });
  useEffect(() => {
    if (range.from === 0 && range.to === total) return;
    const timer = setTimeout(() => {
      setRange({ from: Math.max(0, range.from - 1), to: Math.min(total, range.to + 1) });
    });
    return () => clearTimeout(timer);
  }, [range, total]);
  return range;
}

interface PieceProps extends Span {
  readonly markdown: string;
  readonly mark: Span | undefined;
}

function MarkdownPiece({ markdown, start, end, mark }: PieceProps): JSX.Element {
  const from = Math.max(start, mark?.start ?? 0) - start;
  const to = Math.min(end, mark?.end ?? 0) - start;
  const tree = useMemo(
    () => colorCodeBlocks(markdownToHast(markdown.slice(start, end))),
    [markdown, start, end],
  );
  return useMemo(() => {
    if (from >= to) return <section>{renderTree(tree)}</section>;
    const annotation = { start: from, end: to, wrap: { tagName: 'mark', properties: {} }, after: undefined };
    return <section>{renderTree(annotate(tree, markdown.slice(start, end), [annotation]))}</section>;
  }, [tree, Math.min(from, to), to]);
}
