import type { JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Answer, Quote, TextAround } from '../../src/notebook/answer.ts';
import type { Span } from '../../src/language/span.ts';
import { annotate } from '../shared/annotate.ts';
import { codeToHast, colourCodeBlocks } from '../shared/code-colours.ts';
import { markdownToHast } from '../../src/language/markdown/markdown-tree.ts';
import { renderTree } from '../shared/render.tsx';
import { AnswerContext, Chips } from '../cited/citation-chips.tsx';
import { CodeBlock } from '../cited/code-block.tsx';
import { FigureView } from '../cited/figure-view.tsx';
import { figuresShown, groupPlaces, quotesByDocument } from './words.ts';

interface QuotedAnswerProps {
  readonly answer: Extract<Answer, { kind: 'quotes' }>;
}

const blocks = { pre: CodeBlock };

/** An answer without a model: one sentence, then the very words of the sources, under what they stand under. */
export function QuotedAnswer({ answer }: QuotedAnswerProps): JSX.Element {
  return (
    <>
      <p dir="auto">{answer.text}</p>
      {answer.pages === undefined ? (
        <Quotes answer={answer} />
      ) : (
        <Places answer={answer} pages={answer.pages} />
      )}
    </>
  );
}

function Quotes({ answer }: QuotedAnswerProps): JSX.Element[] {
  return quotesByDocument(answer).map(({ title, quotes }, index) => (
    <section key={index} class="quoted">
      <h3 dir="auto">{title}</h3>
      {quotes.map((quote) => (
        <QuoteView key={quote.citation} answer={answer} quote={quote} />
      ))}
    </section>
  ));
}

/** The best places, each under its title and headings; more of them where they are asked for. */
function Places({ answer, pages }: QuotedAnswerProps & { readonly pages: readonly number[] }): JSX.Element {
  const [shown, setShown] = useState(1);
  const count = pages.slice(0, shown).reduce((sum, page) => sum + page, 0);
  return (
    <>
      {groupPlaces(answer, count).map((quotes, place) => {
        const [{ citation, around } = { citation: 0, around: undefined }] = quotes;
        return (
          <section key={citation} class="quoted">
            <h3 dir="auto">
              {[answer.citations[citation]?.title ?? '', ...(around?.headings ?? [])].map((title, i) => (
                <span key={i}>{title}</span>
              ))}
            </h3>
            {quotes.map((quote) => (
              <QuoteView key={quote.citation} answer={answer} quote={quote} number={place + 1} />
            ))}
          </section>
        );
      })}
      {shown < pages.length && (
        <button type="button" class="link more-places" onClick={() => setShown(shown + 1)}>
          {t('More places')}
        </button>
      )}
    </>
  );
}

interface QuoteViewProps extends QuotedAnswerProps {
  readonly quote: Quote;
  /** The number of the excerpt that it belongs to. */
  readonly number?: number;
}

function QuoteView({ answer, quote, number }: QuoteViewProps): JSX.Element {
  const { turnId } = useContext(AnswerContext);
  const citation = answer.citations[quote.citation];
  const shown = useMemo(() => figuresShown(answer), [answer]).get(quote.citation);
  const figure = shown === undefined ? undefined : answer.citations[shown];
  return (
    <figure class="quote">
      {quote.around === undefined ? (
        <QuoteText quote={quote} text={citation?.quote ?? ''} marks={NONE} />
      ) : (
        <QuoteText quote={quote} text={quote.around.text} marks={quote.around.marks} />
      )}
      {figure !== undefined && shown !== undefined && (
        <FigureView turnId={turnId} citation={figure} index={shown} />
      )}
      <figcaption>
        <Chips citations={quote.around?.citations ?? [quote.citation]} verdict="supported" number={number} />
        <span class="where">{citation?.place}</span>
      </figcaption>
    </figure>
  );
}

const NONE: TextAround['marks'] = [];

interface QuoteTextProps {
  readonly quote: Quote;
  readonly text: string;
  readonly marks: readonly Span[];
}

function QuoteText({ quote, text, marks }: QuoteTextProps): JSX.Element {
  const { format, languageId, header } = quote;
  return useMemo(() => {
    const above = header === undefined ? '' : `${header}\n`;
    const annotations = marks.map(({ start, end }) => ({
      start: above.length + start,
      end: above.length + end,
      wrap: { tagName: 'mark', properties: {} },
      after: undefined,
    }));
    switch (format) {
      case 'code':
        return renderTree(annotate(codeToHast(text, languageId), text, annotations), blocks);
      case 'markdown': {
        const markdown = above + text;
        const tree = annotate(colourCodeBlocks(markdownToHast(markdown)), markdown, annotations);
        return <blockquote>{renderTree(tree, blocks)}</blockquote>;
      }
      case 'prose':
        return (
          <blockquote class="prose" dir="auto">
            {marks.map(({ start, end }, i) => (
              <>
                {text.slice(marks[i - 1]?.end ?? 0, start)}
                <mark key={start}>{text.slice(start, end)}</mark>
              </>
            ))}
            {text.slice(marks.at(-1)?.end ?? 0)}
          </blockquote>
        );
    }
  }, [format, languageId, text, header, marks]);
}
