import type { Element } from 'hast';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Answer, Statement } from '../../src/notebook/answer.ts';
import type { Annotation } from '../shared/annotate.ts';
import { annotate } from '../shared/annotate.ts';
import type { Block, ParsedText } from '../shared/blocks.ts';
import { extendBlocks, parseBlocks } from '../shared/blocks.ts';
import { colourCodeBlocks } from '../shared/code-colours.ts';
import { renderTree } from '../shared/render.tsx';
import { StatementEnd } from './citation-chips.tsx';
import { CodeBlock } from './code-block.tsx';
import { verdictOfModel } from './words.ts';

export interface WrittenAnswerProps {
  readonly answer: Extract<Answer, { kind: 'written' }>;
  readonly isGrowing: boolean;
}

/** A model's answer: Markdown with a chip behind every statement that cites. */
export function WrittenAnswer({ answer, isGrowing }: WrittenAnswerProps): JSX.Element {
  const parsed = useParsed(answer.text, isGrowing);
  return (
    <>
      {parsed.blocks.map((block, index) => (
        <BlockView
          key={block.start}
          block={block}
          isLast={index === parsed.blocks.length - 1}
          statements={answer.statements}
        />
      ))}
    </>
  );
}

/** While an answer grows, only its last block is parsed again; at its end all of it, once. */
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
  readonly statements: readonly Statement[];
}

function BlockView({ block, isLast, statements }: BlockViewProps): JSX.Element {
  const touching = statements.flatMap((statement, index) =>
    statement.verdict !== 'none' && statement.start < block.end && block.start < statement.end ? [index] : [],
  );
  return useMemo(() => {
    const end = isLast ? Infinity : block.end;
    const annotations = touching.flatMap((index) => annotation(statements[index], index, block, end));
    const tree = annotate(colourCodeBlocks(block.tree), block.source, annotations);
    return renderTree(tree, { pre: CodeBlock, 'statement-end': StatementEnd });
    // A statement changes only where a model is asked about it; else their indexes tell all that could be new.
  }, [block, isLast, touching.map((index) => `${String(index)} ${checkOf(statements[index])}`).join()]);
}

function checkOf(statement: Statement | undefined): string {
  return statement?.checkedBy === undefined ? '' : `${statement.verdict} ${statement.checkedBy}`;
}

function annotation(
  statement: Statement | undefined,
  index: number,
  block: Block,
  end: number,
): Annotation[] {
  if (statement === undefined) return [];
  const { verdict, citations, moved = false } = statement;
  const told = verdictOfModel(statement);
  const after: Element = {
    type: 'element',
    tagName: 'statement-end',
    properties: { statement: index, verdict, moved, told, citations: citations.join() },
    children: [],
  };
  return [
    {
      start: Math.max(statement.start, block.start) - block.base,
      end: Math.min(statement.end, block.end) - block.base,
      wrap: {
        tagName: 'span',
        properties: { className: ['statement', verdict], dataStatement: String(index), title: told },
      },
      after: statement.end <= end ? after : undefined,
    },
  ];
}
