import { t } from '@vscode/l10n';
import type { JSX, RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Span } from '../../src/core/language/span.ts';
import type { PlayerView } from '../../src/features/recordings/protocol.ts';
import { clockTime } from '../../src/core/domain/recordings.ts';
import { paragraphsOf, timeAt } from './times.ts';

interface TranscriptProps {
  readonly view: PlayerView;
  readonly article: RefObject<HTMLElement | null>;
  readonly cited: Span | undefined;
  readonly onSeek: (seconds: number) => void;
  /** Called when the user scrolls. */
  readonly onScroll: () => void;
}

/** Shows a transcript in paragraphs with their times. A click on a word seeks to it. */
export function Transcript({ view, article, cited, onSeek, onScroll }: TranscriptProps): JSX.Element {
  const paragraphs = useMemo(() => paragraphsOf(view), [view]);
  const isCited = ({ start, end }: Span): boolean =>
    cited !== undefined && start < cited.end && end > cited.start;
  // Playing draws the page often, and a transcript may have thousands of paragraphs.
  const shown = useMemo(
    () =>
      paragraphs.map((paragraph) => {
        const { start, end, from, title } = paragraph;
        const words = (
          <p key={start} aria-current={isCited(paragraph) ? 'true' : undefined}>
            <button
              type="button"
              class="link time"
              aria-label={t('Go to {0}', clockTime(from))}
              title={t('Go to {0}', clockTime(from))}
              onClick={() => onSeek(from)}
            >
              {clockTime(from)}
            </button>
            <span class="words" data-start={start} dir="auto">
              {view.text.slice(start, end)}
            </span>
          </p>
        );
        return title === undefined
          ? words
          : [
              <h2 key={`title-${String(start)}`} dir="auto">
                {title}
              </h2>,
              words,
            ];
      }),
    [paragraphs, cited],
  );
  return (
    <article
      ref={article}
      tabIndex={0}
      aria-label={t('Transcript')}
      onWheel={onScroll}
      onTouchMove={onScroll}
      onClick={(event) => {
        // For a web page's recording, only a selected time opens the browser, not a click in the text.
        const offset = view.page === undefined ? offsetAt(event) : undefined;
        if (offset !== undefined) onSeek(timeAt(view, offset));
      }}
    >
      {shown}
    </article>
  );
}

/** Returns the offset in the transcript of a click on its words; undefined for the end of a selection. */
function offsetAt({ clientX, clientY, target }: MouseEvent): number | undefined {
  if (getSelection()?.isCollapsed === false || !(target instanceof Element)) return undefined;
  if (target.closest('.words') === null) return undefined;
  const caret = document.caretPositionFromPoint(clientX, clientY);
  return caret === null ? undefined : offsetOf(caret.offsetNode, caret.offset);
}

function offsetOf(node: Node, within: number): number | undefined {
  const words = node.parentElement?.closest<HTMLElement>('.words');
  return words === null || words === undefined ? undefined : Number(words.dataset['start']) + within;
}

/** Returns the selected part of the transcript; undefined if nothing of it is selected. */
export function selectedSpan(article: HTMLElement | null): Span | undefined {
  const selection = getSelection();
  if (article === null || selection === null || selection.isCollapsed || selection.rangeCount === 0)
    return undefined;
  const range = selection.getRangeAt(0);
  let span: Span | undefined;
  for (const words of article.querySelectorAll<HTMLElement>('.words')) {
    const { firstChild } = words;
    if (firstChild === null || !range.intersectsNode(firstChild)) continue;
    const base = Number(words.dataset['start']);
    const start = base + (range.startContainer === firstChild ? range.startOffset : 0);
    const length = firstChild.textContent?.length ?? 0;
    const end = base + (range.endContainer === firstChild ? range.endOffset : length);
    span = { start: span?.start ?? start, end };
  }
  return span === undefined || span.end <= span.start ? undefined : span;
}

/** Highlights spans of the transcript with a style of the style sheet, by its name. */
export function showSpans(article: HTMLElement | null, name: string, spans: readonly Span[]): void {
  const ranges: Range[] = [];
  if (article !== null && spans.length > 0) {
    let next = 0;
    for (const words of article.querySelectorAll<HTMLElement>('.words')) {
      const { firstChild } = words;
      const base = Number(words.dataset['start']);
      const length = firstChild?.textContent?.length ?? 0;
      // Spans ascend, and one may reach into the next paragraph.
      while (next < spans.length && (spans[next]?.end ?? 0) <= base) next++;
      for (let i = next; i < spans.length; i++) {
        const span = spans[i];
        if (firstChild === null || span === undefined || span.start >= base + length) break;
        const range = new Range();
        range.setStart(firstChild, Math.max(0, span.start - base));
        range.setEnd(firstChild, Math.min(length, span.end - base));
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(name, new Highlight(...ranges));
}
