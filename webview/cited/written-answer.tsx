import type { Element } from 'hast';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { shownVerdict, type Answer, type Statement } from '../../src/core/domain/answer.ts';
import { annotate, type Annotation } from '../shared/annotate.ts';
import { extendBlocks, parseBlocks, type Block, type ParsedText } from '../shared/blocks.ts';
import { colorCodeBlocks } from '../shared/code-colors.ts';
import { renderTree } from '../shared/render.tsx';
import { StatementEnd } from './citation-chips.tsx';
import { CodeBlock } from './code-block.tsx';
import { cutPieces } from './statement-pieces.ts';
import { verdictInWords } from './words.ts';

interface WrittenAnswerProps {
  readonly answer: Extract<Answer, { kind: 'written' }>;
  readonly isGrowing: boolean;
}

/** Shows a model's answer: Markdown with a chip after each statement with citations. */
export function WrittenAnswer({ answer, isGrowing }: WrittenAnswerProps): JSX.Element {
  const parsed = useParsed(answer.text, isGrowing);
  return (
    <>
      {parsed.blocks.map((block, index) => (
        <BlockView
          key={block.start}
          block={block}
          isLast={index === parsed.blocks.length - 1}
          text={answer.text}
          statements={answer.statements}
        />
      ))}
    </>
  );
}

/** Parses only the last block again while an answer grows, and all of it once at the end. */
function useParsed(text: string, isGrowing: boolean): ParsedText {
  const before = useRef<ParsedText>({ text: '', blocks: [] });
  return useMemo(() => {
    before.current = isGrowing ? extendBlocks(before.current, text) : parseBlocks(text);
    return before.current;
  }, [text, isGrowing]);
}

interface BlockViewProps {
  readonly block: Block;
  readonly isLast: boolean;
  /** Text of the answer. */
  readonly text: string;
  readonly statements: readonly Statement[];
}

function BlockView({ block, isLast, text, statements }: BlockViewProps): JSX.Element {
  const touching = statements.flatMap((statement, index) =>
    statement.verdict !== 'none' && statement.start < block.end && block.start < statement.end ? [index] : [],
  );
  return useMemo(() => {
    const end = isLast ? Infinity : block.end;
    const annotations = touching.flatMap((index) =>
      annotateStatement(statements[index], index, text, block, end),
    );
    const tree = annotate(colorCodeBlocks(block.tree), block.source, annotations);
    return renderTree(tree, { pre: CodeBlock, 'statement-end': StatementEnd });
    // A statement changes only if a model checks it. Otherwise, the indices show all possible changes.
  }, [block, isLast, touching.map((index) => `${String(index)} ${checkKey(statements[index])}`).join()]);
}

function checkKey(statement: Statement | undefined): string {
  if (statement?.checkedBy === undefined) return '';
  const { verdict, checkedBy, citations, missing = [], moved = false, deciding = '' } = statement;
  return [verdict, checkedBy, citations, missing.map(({ start }) => start), moved, deciding].join(' ');
}

function annotateStatement(
  statement: Statement | undefined,
  index: number,
  text: string,
  block: Block,
  end: number,
): Annotation[] {
  if (statement === undefined) return [];
  const { citations, missing = [], moved = false } = statement;
  const verdict = shownVerdict(statement);
  const verdictText = verdictInWords(statement);
  // Mark the words that no source contains, and nothing else.
  const mark = verdict === 'unchecked' && missing.length > 0 ? 'unknown' : verdict;
  const words = missing.map(({ start, end: missingEnd }) => text.slice(start, missingEnd)).join('; ');
  const after: Element = {
    type: 'element',
    tagName: 'statement-end',
    properties: {
      statement: index,
      verdict,
      moved,
      verdictText,
      deciding: statement.deciding,
      words: verdict === 'unchecked' ? text.slice(statement.start, statement.end) : undefined,
      missing: words,
      citations: citations.join(),
    },
    children: [],
  };
  const pieces = cutPieces(statement, text).filter(
    (piece) => piece.start < block.end && block.start < piece.end,
  );
  return pieces.map(({ start, end: pieceEnd, isMarked }, i) => ({
    start: Math.max(start, block.start) - block.base,
    end: Math.min(pieceEnd, block.end) - block.base,
    wrap: {
      tagName: 'span',
      properties: {
        className: isMarked ? ['statement', mark] : ['statement'],
        dataStatement: String(index),
        title: isMarked && mark === 'unknown' ? t('Not in the cited text') : verdictText,
      },
    },
    after: i === pieces.length - 1 && statement.end <= end ? after : undefined,
  }));
}
