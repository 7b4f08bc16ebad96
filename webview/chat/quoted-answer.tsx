import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Answer, Quote } from '../../src/notebook/answer.ts';
import { codeToHast, colourCodeBlocks } from '../shared/code-colours.ts';
import { markdownToHast } from '../shared/markdown.ts';
import { renderTree } from '../shared/render.tsx';
import { Chips } from './citation-chips.tsx';
import { CodeBlock } from './code-block.tsx';
import { quotesByDocument } from './words.ts';

export interface QuotedAnswerProps {
  readonly answer: Extract<Answer, { kind: 'quotes' }>;
}

const blocks = { pre: CodeBlock };

/** An answer without a model: one sentence, then the very words of the sources, each source's under its title. */
export function QuotedAnswer({ answer }: QuotedAnswerProps): JSX.Element {
  return (
    <>
      <p dir="auto">{answer.text}</p>
      {quotesByDocument(answer).map(({ title, quotes }, index) => (
        <section key={index} class="quoted">
          <h3 dir="auto">{title}</h3>
          {quotes.map((quote) => (
            <figure key={quote.citation} class="quote">
              <QuoteText quote={quote} text={answer.citations[quote.citation]?.quote ?? ''} />
              <figcaption>
                <Chips citations={[quote.citation]} verdict="supported" />
                <span class="where">{answer.citations[quote.citation]?.place}</span>
              </figcaption>
            </figure>
          ))}
        </section>
      ))}
    </>
  );
}

function QuoteText({ quote, text }: { readonly quote: Quote; readonly text: string }): JSX.Element {
  const { format, languageId, header } = quote;
  const withHeader = header === undefined ? text : `${header}\n${text}`;
  return useMemo(() => {
    switch (format) {
      case 'code':
        return renderTree(codeToHast(text, languageId), blocks);
      case 'markdown':
        return <blockquote>{renderTree(colourCodeBlocks(markdownToHast(withHeader)), blocks)}</blockquote>;
      case 'prose':
        return (
          <blockquote class="prose" dir="auto">
            {text}
          </blockquote>
        );
    }
  }, [format, languageId, text, withHeader]);
}
