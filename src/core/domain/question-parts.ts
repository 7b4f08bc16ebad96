import { LineScanner, linesIn } from '../language/markdown-lines.ts';

interface Part<K extends string> {
  readonly kind: K;
  /** Text without the marks of code and quotations. */
  readonly text: string;
  /** Start in the question, including the marks, in UTF-16 code units. */
  readonly start: number;
}

/** Part of a question: text of the user, a block of code, or a quotation. */
export type QuestionPart =
  | Part<'quotation' | 'words'>
  | (Part<'code'> & { readonly languageId: string | undefined });

/** Splits a question at its blocks of code and its quotations. Returns no empty parts. */
export function splitQuestion(question: string): QuestionPart[] {
  const parts: QuestionPart[] = [];
  let lines: string[] = [];
  let open = { kind: 'words' as QuestionPart['kind'], start: 0, languageId: '' };
  const begin = (kind: QuestionPart['kind'], start: number, languageId = ''): void => {
    const first = Math.max(
      0,
      lines.findIndex((line) => line.trim() !== ''),
    );
    const text = open.kind === 'code' ? lines.join('\n') : lines.slice(first).join('\n').trimEnd();
    if (text.trim() !== '') {
      if (open.kind !== 'code') parts.push({ kind: open.kind, text, start: open.start });
      else parts.push({ kind: 'code', text, start: open.start, languageId: open.languageId || undefined });
    }
    lines = [];
    open = { kind, start, languageId };
  };
  const scanner = new LineScanner();
  for (const { start, end, next } of linesIn(question)) {
    const line = question.slice(start, end);
    const lineKind = scanner.take(line);
    if (lineKind === 'opening' && scanner.fence?.quotes === 0)
      begin('code', start, scanner.fence.info.split(/\s/)[0]);
    else if (open.kind === 'code' && lineKind === 'closing') begin('words', next);
    else {
      const isQuotation = line.startsWith('>');
      if (open.kind !== 'code' && isQuotation !== (open.kind === 'quotation'))
        begin(isQuotation ? 'quotation' : 'words', start);
      lines.push(open.kind === 'quotation' ? line.replace(/^> ?/, '') : line);
    }
  }
  begin('words', question.length);
  return parts;
}

/** Returns the selected text at the end of a question; undefined if it ends with other text. */
export function selectedPart(question: string): QuestionPart | undefined {
  const last = splitQuestion(question).at(-1);
  return last?.kind === 'words' ? undefined : last;
}
