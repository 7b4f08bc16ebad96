import { Fragment, type JSX, type RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Span } from '../../src/core/language/span.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import type { CitationCard } from '../../src/features/chat/protocol.ts';
import { annotate } from '../shared/annotate.ts';
import { codeToHast, colorCodeBlocks } from '../shared/code-colors.ts';
import { markdownToHast } from '../../src/core/language/markdown/markdown-tree.ts';
import { renderTree } from '../shared/render.tsx';
import { IconButton } from '../shared/toolkit.tsx';
import { placeCard, type Box } from './card-placement.ts';
import { FigureView } from './figure-view.tsx';
import { CitingHostContext, type CitingHost } from './host.ts';
import { SourceTitle } from './source-title.tsx';
import { findWords, sourceIcon } from './words.ts';

interface CitationCardViewProps {
  readonly id: string;
  readonly turnId: string;
  /** Citations of the chip: indices into `citations`. */
  readonly indexes: readonly number[];
  readonly citations: readonly Citation[];
  /** Chip to which the card belongs. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** Words of a source that decide the verdict on the statement before the chip. */
  readonly deciding: string | undefined;
  /** The words of that statement if no model has checked it. */
  readonly words: string | undefined;
  readonly onClose: () => void;
}

/** Shows the cited text next to its chip, with its actions. */
export function CitationCardView({
  id,
  turnId,
  indexes,
  citations,
  anchor,
  deciding,
  words,
  onClose,
}: CitationCardViewProps): JSX.Element | null {
  const host = useContext(CitingHostContext);
  const [shown, setShown] = useState(0);
  const card = useRef<HTMLDivElement>(null);
  const index = indexes[shown] ?? 0;
  const citation = citations[index];
  const content = useCard(host, turnId, index, citation);

  const placeCard = (): void => {
    if (card.current !== null && anchor.current !== null) place(card.current, anchor.current);
  };
  // Place the card again after each change of its content and whenever its chip moves.
  useLayoutEffect(placeCard);
  useEffect(() => {
    window.addEventListener('scroll', placeCard, { capture: true, passive: true });
    window.addEventListener('resize', placeCard);
    return () => {
      window.removeEventListener('scroll', placeCard, { capture: true });
      window.removeEventListener('resize', placeCard);
    };
  }, []);

  if (citation === undefined) return null;
  const open = (beside: boolean): void => host.start('openCitation', { turnId, citation: index, beside });
  return (
    <div class="card" id={id} ref={card} role="group" aria-label={t('Cited text')}>
      <header>
        <span class={`codicon codicon-${sourceIcon(citation)}`} aria-hidden="true" />
        <SourceTitle title={citation.title} />
        <span class="place" dir="auto">
          {citation.place}
        </span>
      </header>
      {citation.figure !== undefined && <FigureView turnId={turnId} citation={citation} index={index} />}
      {deciding !== undefined && <p class="note">{t('Evidence: “{0}”', deciding)}</p>}
      {words !== undefined && (
        <p class="note">
          {[t('Not fact-checked'), ...foundInWords(findWords(words, citation.quote))].join(' · ')}
        </p>
      )}
      <CardText content={content} />
      <div class="actions" role="toolbar" aria-label={t('Citation')}>
        <IconButton icon="go-to-file" label={t('Open')} onPress={() => open(false)} />
        <IconButton icon="split-horizontal" label={t('Open to the side')} onPress={() => open(true)} />
        <IconButton
          icon="copy"
          label={t('Copy cited text')}
          onPress={() => host.start('copy', { text: citation.quote })}
        />
        <IconButton
          icon="link"
          label={t('Copy link to citation')}
          onPress={() => host.start('copyLink', { turnId, citation: index })}
        />
        <IconButton
          icon="references"
          label={t('Find similar passages')}
          onPress={() => {
            host.start('findMoreLike', { turnId, citation: index });
            onClose();
          }}
        />
        {indexes.length > 1 && (
          <span class="paging">
            <IconButton
              icon="chevron-left"
              label={t('Previous citation')}
              disabled={shown === 0}
              onPress={() => setShown(shown - 1)}
            />
            <span>{t('{0} of {1}', (shown + 1).toLocaleString(), indexes.length.toLocaleString())}</span>
            <IconButton
              icon="chevron-right"
              label={t('Next citation')}
              disabled={shown === indexes.length - 1}
              onPress={() => setShown(shown + 1)}
            />
          </span>
        )}
      </div>
    </div>
  );
}

function foundInWords(words: readonly string[]): string[] {
  return words.length === 0 ? [] : [t('Found in the cited text: {0}', words.join(', '))];
}

type Content = CitationCard | { readonly problem: string } | undefined;

const fetched = new WeakMap<Citation, Promise<CitationCard>>();

/** Loads the card of a citation once. */
function useCard(host: CitingHost, turnId: string, index: number, citation: Citation | undefined): Content {
  const [content, setContent] = useState<{ readonly of: Citation; readonly content: Content }>();
  useEffect(() => {
    if (citation === undefined) return;
    let isCurrent = true;
    const show = (result: Content): void => {
      if (isCurrent) setContent({ of: citation, content: result });
    };
    const card = fetched.get(citation) ?? host.client.call('citationCard', { turnId, citation: index });
    fetched.set(citation, card);
    card.then(show, (error: unknown) => {
      fetched.delete(citation);
      show({ problem: errorMessage(error) });
    });
    return () => {
      isCurrent = false;
    };
  }, [host, turnId, index, citation]);
  return content?.of === citation ? content?.content : undefined;
}

function CardText({ content }: { readonly content: Content }): JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const body = useMemo(
    () => (content === undefined || 'problem' in content ? undefined : renderCard(content)),
    [content],
  );
  useLayoutEffect(() => {
    const mark = view.current?.querySelector('mark');
    if (view.current === null || !mark) return;
    const distance = mark.getBoundingClientRect().top - view.current.getBoundingClientRect().top;
    view.current.scrollTop += distance - view.current.clientHeight / 3;
  }, [body]);
  if (content === undefined) return <p class="note">{t('Reading…')}</p>;
  if ('problem' in content) return <p class="note">{content.problem}</p>;
  return (
    <>
      {content.note !== undefined && <p class="note">{content.note}</p>}
      {content.doubtful.length > 0 && (
        <p class="note">{t('Text recognition isn’t sure about the underlined words.')}</p>
      )}
      {content.text !== '' && (
        <div
          class={`text markdown ${content.format}`}
          role="region"
          aria-label={t('Passage')}
          dir="auto"
          tabIndex={0}
          ref={view}
        >
          {body}
        </div>
      )}
    </>
  );
}

function renderCard({ text, mark, format, languageId, doubtful }: CitationCard): JSX.Element {
  const pieces = markedPieces(mark, doubtful);
  const annotations = pieces.map(({ start, end, tagName, isDoubtful }) => ({
    start,
    end,
    wrap: { tagName, properties: isDoubtful ? { className: ['doubtful'] } : {} },
    after: undefined,
  }));
  switch (format) {
    case 'code':
      return renderTree(annotate(codeToHast(text, languageId), text, annotations));
    case 'markdown':
      return renderTree(annotate(colorCodeBlocks(markdownToHast(text)), text, annotations));
    case 'prose':
      return (
        <>
          {pieces.map(({ start, end, tagName: Tag, isDoubtful }, index) => (
            <Fragment key={start}>
              {text.slice(pieces[index - 1]?.end ?? 0, start)}
              <Tag class={isDoubtful ? 'doubtful' : undefined}>{text.slice(start, end)}</Tag>
            </Fragment>
          ))}
          {text.slice(pieces.at(-1)?.end ?? 0)}
        </>
      );
  }
}

/** Part of a card's text that is cited, or that text recognition isn't sure of, or both. */
interface MarkedPiece extends Span {
  readonly tagName: 'mark' | 'span';
  readonly isDoubtful: boolean;
}

/** Splits text into pieces that don't overlap, for cited and doubtful words, in order. */
function markedPieces(mark: Span, doubtful: readonly Span[]): MarkedPiece[] {
  const ends = [mark.start, mark.end, ...doubtful.flatMap(({ start, end }) => [start, end])];
  const cuts = [...new Set(ends)].sort((a, b) => a - b);
  const covers = (span: Span, at: number): boolean => span.start <= at && at < span.end;
  return cuts.flatMap((start, index) => {
    const isCited = covers(mark, start);
    const isDoubtful = doubtful.some((word) => covers(word, start));
    const end = cuts[index + 1] ?? start;
    return isCited || isDoubtful ? [{ start, end, tagName: isCited ? 'mark' : 'span', isDoubtful }] : [];
  });
}

/** Positions a card next to its chip. */
function place(card: HTMLElement, anchor: HTMLElement): void {
  const chip = anchor.querySelector('.chip')?.getBoundingClientRect();
  if (chip === undefined) return;
  const panel = {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
  };
  const { left, width, maxHeight, top, bottom } = placeCard(chip, findSentence(anchor, chip), panel);
  card.style.left = `${String(left)}px`;
  card.style.width = `${String(width)}px`;
  card.style.maxHeight = `${String(maxHeight)}px`;
  card.style.top = top === undefined ? '' : `${String(top)}px`;
  card.style.bottom = bottom === undefined ? '' : `${String(bottom)}px`;
}

/** Returns the box of the sentence before a chip. The chip of an excerpt is below it. */
function findSentence(anchor: HTMLElement, chip: Box): Box {
  const quote = anchor.closest('figure');
  if (quote !== null) return quote.getBoundingClientRect();
  const statement = anchor.dataset['statement'];
  const first =
    statement === undefined
      ? null
      : anchor.closest('.answer')?.querySelector(`.statement[data-statement="${statement}"]`);
  return first?.getBoundingClientRect() ?? chip;
}
