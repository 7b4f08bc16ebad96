import * as v from 'valibot';
import * as vscode from 'vscode';
import { storedCitation } from '../../indexing/store/database/stored-json.ts';
import type { AnswerEvent, Citation, Statement, Verdict } from '../../notebook/answer.ts';
import { markedBody } from '../../notebook/answer-markdown.ts';
import { growingMarkdown, harmlessWords } from '../../notebook/harmless-markdown.ts';
import { verdictLabel } from '../../notebook/verdict-marks.ts';

/** Opens a citation of an answer in the editor's own chat. */
export const OPEN_CITATION_COMMAND = 'openNotebook.openCitation';

/** The marks of citations in what was told. */
export const MARK_PATTERN = / ?\[\\\[\d+\\\]\]\(command:[^\s"(]* "[^"]*"\)/g;

/** An answer that is told in the editor's own chat. `end` tells what is left of it, and gives its citations, and whether a model wrote it. */
interface EditorAnswer {
  readonly emit: (event: AnswerEvent) => void;
  readonly end: () => { readonly citations: readonly Citation[]; readonly isWritten: boolean };
}

/** Tells an answer sentence by sentence, each with its citations and with what the check of it found. */
export function editorAnswer(stream: vscode.ChatResponseStream): EditorAnswer {
  let isWritten = false;
  let citations: Citation[] = [];
  /** What a model wrote and was not told yet, and where it begins in the answer. */
  let untold = '';
  let from = 0;
  const grown = growingMarkdown();
  const referenced = new Set<number>();
  const show = (markdown: string): void => {
    const told = new vscode.MarkdownString(markdown);
    told.isTrusted = { enabledCommands: [OPEN_CITATION_COMMAND] };
    stream.markdown(told);
  };
  const refer = (added: readonly Citation[]): void => {
    for (const citation of added) {
      if (referenced.has(citation.number) || citation.uri === '') continue;
      referenced.add(citation.number);
      stream.reference(toLocation(citation) ?? vscode.Uri.parse(citation.uri));
    }
  };
  const marks = (indexes: readonly number[]): string =>
    [...new Map(indexes.flatMap((index) => makeMark(citations[index]))).values()].join('');

  const tellStatement = (statement: Statement): void => {
    const length = Math.max(0, statement.end - from);
    show(grown(untold.slice(0, length), marks(statement.citations) + verdictInChat(statement.verdict)));
    untold = untold.slice(length);
    from += length;
  };

  return {
    emit(event) {
      switch (event.kind) {
        case 'status':
          stream.progress(harmlessWords(event.text));
          return;
        case 'started':
          isWritten = event.answer.kind === 'written';
          citations = [...event.answer.citations];
          [untold, from] = [isWritten ? event.answer.text : '', 0];
          if (isWritten) return;
          refer(citations);
          show(markedBody(event.answer, 'inline', marks));
          return;
        case 'text':
          untold += event.delta;
          return;
        case 'statement':
          citations.push(...event.newCitations);
          refer(event.newCitations);
          tellStatement(event.statement);
          return;
        case 'checked':
          citations.push(...event.newCitations);
      }
    },
    end() {
      if (isWritten) show(grown(untold, ''));
      return { citations, isWritten };
    },
  };
}

/** A citation that a link handed over; undefined where it is none. */
export function readCitation(given: unknown): Citation | undefined {
  const read = v.safeParse(storedCitation, given);
  return read.success ? read.output : undefined;
}

function makeMark(citation: Citation | undefined): [number, string][] {
  if (citation === undefined) return [];
  const argument = encodeURIComponent(JSON.stringify([citation]));
  const where = [citation.title, citation.place].filter((part) => part !== '').join(', ');
  // Nothing in it may end the title, or begin code or a formula that reaches beyond it.
  const title = harmlessWords(where.replaceAll(/["\\<>`$|]+/g, ' '));
  return [
    [
      citation.number,
      ` [\\[${String(citation.number)}\\]](command:${OPEN_CITATION_COMMAND}?${argument.replaceAll(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)} "${title}")`,
    ],
  ];
}

/**
 * Returns the mark of a verdict, always inline: the editor's chat has no footnotes. Its brackets are escaped, or they
 * could make a link of the sentence that follows.
 */
function verdictInChat(verdict: Verdict): string {
  const label = verdictLabel(verdict);
  return label === undefined ? '' : ` _\\[${label}\\]_`;
}

function toLocation({ uri, locator }: Citation): vscode.Location | undefined {
  if (locator.kind !== 'lines') return undefined;
  const { start, end } = locator;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return new vscode.Location(vscode.Uri.parse(uri), range);
}
