import * as v from 'valibot';
import * as vscode from 'vscode';
import { storedCitation } from '../../../index/store/database/stored-json.ts';
import {
  applyAnswerEvents,
  shownVerdict,
  type Answer,
  type AnswerEvent,
  type Citation,
  type Verdict,
} from '../../../core/domain/answer.ts';
import { markedBody } from '../../../core/domain/answer-markdown.ts';
import { sanitizeStream, sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import { verdictLabel } from '../../../core/domain/verdict-marks.ts';

/** Command that opens a citation of an answer in the editor's own chat. */
export const OPEN_CITATION_COMMAND = 'openNotebook.openCitation';

/** Citation marks in an answer's Markdown. */
export const MARK_PATTERN = / ?\[\\\[\d+\\\]\]\(command:[^\s"(]* "[^"]*"\)/g;

/** Answer that is shown in the editor's own chat. */
interface EditorAnswer {
  readonly emit: (event: AnswerEvent) => void;
  /** Shows the rest of the answer. Returns its citations and whether a model wrote it. */
  readonly end: () => Promise<{
    readonly citations: readonly Citation[];
    readonly isWritten: boolean;
    /** Numbers of shown statements that a model checked, and of those that are marked as not fact-checked. */
    readonly verdicts: { readonly checked: number; readonly unchecked: number };
  }>;
}

type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

/** Returns an answer with the verdicts of the fact check on some statements, given by their indexes. It never rejects. */
export type CheckStatements = (answer: WrittenAnswer, only: readonly number[]) => Promise<WrittenAnswer>;

/**
 * Shows an answer, each statement with its citations and its verdict. Text in the editor's chat can't change anymore,
 * so with a fact check, a paragraph is shown once its statements are checked.
 */
export function editorAnswer(stream: vscode.ChatResponseStream, check?: CheckStatements): EditorAnswer {
  let answer: Answer | undefined;
  let citations: readonly Citation[] = [];
  /** End of the shown part of a written answer, and its first statement that isn't shown yet. */
  let from = 0;
  let next = 0;
  let showing = Promise.resolve();
  const grown = sanitizeStream();
  const referenced = new Set<number>();
  const verdicts = { checked: 0, unchecked: 0 };
  const show = (markdown: string): void => {
    const markdownString = new vscode.MarkdownString(markdown);
    markdownString.isTrusted = { enabledCommands: [OPEN_CITATION_COMMAND] };
    stream.markdown(markdownString);
  };
  const refer = (): void => {
    for (const citation of citations) {
      if (referenced.has(citation.number) || citation.uri === '') continue;
      referenced.add(citation.number);
      stream.reference(toLocation(citation) ?? vscode.Uri.parse(citation.uri));
    }
  };
  const marks = (indexes: readonly number[]): string =>
    [...new Map(indexes.flatMap((index) => makeMark(citations[index]))).values()].join('');

  const showStatements = (checked: WrittenAnswer, only: readonly number[]): void => {
    ({ citations } = checked);
    refer();
    for (const statement of only.flatMap((index) => checked.statements[index] ?? [])) {
      const end = Math.max(from, statement.end);
      const verdict = shownVerdict(statement);
      if (statement.checkedBy !== undefined) verdicts.checked++;
      else if (verdict === 'unchecked') verdicts.unchecked++;
      show(grown(checked.text.slice(from, end), marks(statement.citations) + verdictInChat(verdict)));
      from = end;
    }
  };
  /** Shows the statements before an index that aren't shown yet, once they are checked. */
  const showUntil = (index: number): void => {
    if (answer?.kind !== 'written' || index <= next) return;
    const written = answer;
    const only = Array.from({ length: index - next }, (_, i) => next + i);
    next = index;
    if (check === undefined) showStatements(written, only);
    else showing = showing.then(async () => showStatements(await check(written, only), only));
  };

  const showRest: EditorAnswer['end'] = async () => {
    if (answer?.kind !== 'written') return { citations, isWritten: false, verdicts };
    showUntil(answer.statements.length);
    await showing;
    show(grown(answer.text.slice(from), ''));
    return { citations, isWritten: true, verdicts };
  };
  let ended: ReturnType<EditorAnswer['end']> | undefined;

  return {
    emit(event) {
      if (event.kind === 'status') {
        stream.progress(sanitizeWords(event.text));
        return;
      }
      answer = applyAnswerEvents(answer, [event]);
      if (answer === undefined) return;
      if (event.kind === 'started') {
        [from, next] = [0, 0];
        if (answer.kind === 'written') return;
        ({ citations } = answer);
        refer();
        show(markedBody(answer, 'inline', marks));
      } else if (event.kind === 'statement' && answer.kind === 'written') {
        const { statements, text } = answer;
        const { start, end } = event.statement;
        const blanks = /^\s*/.exec(text.slice(start, end))?.[0] ?? '';
        // A blank line ends the paragraph before this statement.
        const isFirst = /\n[ \t]*\n/.test(text.slice(statements.at(-2)?.end ?? 0, start) + blanks);
        showUntil(check === undefined ? statements.length : isFirst ? statements.length - 1 : 0);
      }
    },
    end: () => (ended ??= showRest()),
  };
}

/** Reads the citation that a link passed on; `undefined` if it isn't valid. */
export function readCitation(value: unknown): Citation | undefined {
  const read = v.safeParse(storedCitation, value);
  return read.success ? read.output : undefined;
}

function makeMark(citation: Citation | undefined): [number, string][] {
  if (citation === undefined) return [];
  const argument = encodeURIComponent(JSON.stringify([citation]));
  const where = [citation.title, citation.place].filter((part) => part !== '').join(', ');
  // The title must not contain anything that ends it, or that begins code or a formula.
  const title = sanitizeWords(where.replaceAll(/["\\<>`$|]+/g, ' '));
  return [
    [
      citation.number,
      ` [\\[${String(citation.number)}\\]](command:${OPEN_CITATION_COMMAND}?${argument.replaceAll(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)} "${title}")`,
    ],
  ];
}

/**
 * Returns the mark of a verdict, always inline: the editor's chat has no footnotes. Its brackets are escaped, or they
 * could turn the following sentence into a link.
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
