import { Fragment, type JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Answer, Quote } from '../../src/core/domain/answer.ts';
import { excerptOf } from '../../src/core/domain/excerpt.ts';
import { AnswerContext, Chips } from '../cited/citation-chips.tsx';
import { FigureView } from '../cited/figure-view.tsx';
import { ExcerptText } from './excerpt-text.tsx';
import { figuresShown, groupPlaces, quotesByDocument } from './words.ts';

interface QuotedAnswerProps {
  readonly answer: Extract<Answer, { kind: 'quotes' }>;
}

/** Shows an answer without a model: one sentence, then excerpts of the sources under their headings. */
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
      {quotes.map((quote, i) => (
        <QuoteView
          key={quote.citation}
          answer={answer}
          quote={quote}
          heading={i === 0 && <h3 dir="auto">{title}</h3>}
        />
      ))}
    </section>
  ));
}

/** Shows the top excerpts, each under its title and headings, and more on request. */
function Places({ answer, pages }: QuotedAnswerProps & { readonly pages: readonly number[] }): JSX.Element {
  const [shown, setShown] = useState(1);
  const count = pages.slice(0, shown).reduce((sum, page) => sum + page, 0);
  return (
    <>
      {groupPlaces(answer, count).map((quotes, place) => {
        const [{ citation, around } = { citation: 0, around: undefined }] = quotes;
        const all = [answer.citations[citation]?.title ?? '', ...(around?.headings ?? [])];
        // A web page often begins with its title.
        const path = all.filter((title, i) => title !== all[i - 1]);
        return (
          <section key={citation} class="quoted">
            {quotes.map((quote, i) => (
              <QuoteView
                key={quote.citation}
                answer={answer}
                quote={quote}
                number={place + 1}
                path={path}
                heading={i === 0 && <PathHeading path={path} />}
              />
            ))}
          </section>
        );
      })}
      {shown < pages.length && (
        <button type="button" class="link more-places" onClick={() => setShown(shown + 1)}>
          {t('Show more excerpts')}
        </button>
      )}
    </>
  );
}

/** Number of headings above an excerpt, the nearest ones. A whole path can fill a narrow panel. */
const MAX_HEADINGS = 2;

function shortenPath(path: readonly string[]): readonly string[] {
  const [title = '', ...headings] = path;
  return headings.length <= MAX_HEADINGS ? path : [title, '…', ...headings.slice(-MAX_HEADINGS)];
}

/** Shows the title of a document and the nearest headings. The tooltip has all. */
function PathHeading({ path }: { readonly path: readonly string[] }): JSX.Element {
  return (
    <h3 dir="auto" title={path.join(' › ')}>
      {shortenPath(path).map((title, i) => (
        <Fragment key={i}>
          {/* A line can break at the blank, and a copy needs it. */}
          {i > 0 && ' '}
          <span>{title}</span>
        </Fragment>
      ))}
    </h3>
  );
}

interface QuoteViewProps extends QuotedAnswerProps {
  readonly quote: Quote;
  /** Number of the excerpt that the figure belongs to. */
  readonly number?: number;
  /** Title of its document and its headings; empty if they aren't shown. */
  readonly path?: readonly string[];
  /** Heading beside its number, if it is the first excerpt below the heading. */
  readonly heading: JSX.Element | false;
}

function QuoteView({ answer, quote, number, path = [], heading }: QuoteViewProps): JSX.Element {
  const { turnId } = useContext(AnswerContext);
  const citation = answer.citations[quote.citation];
  const shown = useMemo(() => figuresShown(answer), [answer]).get(quote.citation);
  const excerpt = useMemo(() => excerptOf(quote, citation?.quote ?? ''), [quote, citation?.quote]);
  const figure = shown === undefined ? undefined : answer.citations[shown];
  return (
    <figure class="quote">
      <figcaption>
        <Chips citations={quote.around?.citations ?? [quote.citation]} verdict="supported" number={number} />{' '}
        {heading} {citation?.place !== path.at(-1) && <span class="where">{citation?.place}</span>}
      </figcaption>
      <ExcerptText {...excerpt} languageId={quote.languageId} />
      {figure !== undefined && shown !== undefined && (
        <FigureView turnId={turnId} citation={figure} index={shown} />
      )}
    </figure>
  );
}
