import { plainWords } from '../../../../core/language/words/folding.ts';
import { t } from '@vscode/l10n';
import { cutBlocks, cutSentences } from '../../../../core/language/sentences.ts';
import {
  itemOfLine,
  headingOfLine,
  isTableRow,
  isTableRule,
  markdownLines,
  rowCells,
} from '../../../../core/language/markdown-lines.ts';
import { stripNoEvidenceStatements } from '../../../../core/language/no-evidence-statements.ts';
import { wantsList, wantsTable } from '../../../../core/language/requested-format.ts';
import { comparedLanguage, comparedTermSet } from '../../../../core/language/words/words.ts';
import type { PlanStep } from '../../model/project.ts';

/** Table in a text, as the words of its cells. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Maximum length ratio of a text that only repeats its target. A longer text says more. */
const MAX_LENGTH_RATIO = 1.5;

/** Skills that return a list of findings. A table or list that the target mentions is created by another step. */
const FINDING: ReadonlySet<string> = new Set(['list-headings', 'list-sources', 'read', 'search']);

/** Returns the problems with the form of a product, for the model and the user. */
export function validateFormat(
  text: string,
  step: Pick<PlanStep, 'action' | 'columns' | 'quantity' | 'target'>,
): string[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [t('The submitted result is empty.')];
  if (repeats(text, step.target)) return [t('The result only repeats the task of the step.')];
  const problems: string[] = [];
  const tables = tablesIn(text);
  const isFinding = FINDING.has(step.action);
  const { columns = [] } = step;
  if (columns.length > 0 || (!isFinding && wantsTable(step.target))) {
    problems.push(...tableProblems(tables, columns, step.target));
  } else if (!isFinding && wantsList(step.target) && tables.length === 0 && countItems(text) === 0)
    problems.push(t('The step asks for a list. Put each item on its own line, starting with a hyphen.'));
  const count = countEntries(text);
  if (step.quantity > 0 && count < step.quantity && !statesLack(text))
    problems.push(
      t(
        'The result has {0} of the {1} requested entries, rows, or sections, and doesn’t say that the sources don’t contain more.',
        count,
        step.quantity,
      ),
    );
  return problems;
}

/** Counts the rows of tables, the items of outermost lists, or the sections under headings, whichever are more. */
export function countEntries(text: string): number {
  const rows = tablesIn(text).reduce((sum, table) => sum + table.rows.length, 0);
  const items = countItems(text);
  const levels = Array.from(markdownLines(text)).flatMap(({ kind, start, end }) =>
    kind === 'heading' ? (headingOfLine(text.slice(start, end))?.level ?? 1) : [],
  );
  const sections = Math.max(0, ...levels.map((level) => levels.filter((each) => each === level).length));
  const paragraphs = cutBlocks(text).filter(({ kind }) => kind === 'paragraph').length;
  return Math.max(rows, items, sections, rows + items + sections === 0 ? paragraphs : 0);
}

/** Counts the items of outermost lists. */
function countItems(text: string): number {
  return Array.from(markdownLines(text)).filter(
    ({ kind, start, end }) =>
      kind === 'item' && (itemOfLine(text.slice(start, end))?.before.length ?? 0) <= 1,
  ).length;
}

/** Reports whether a text says that the sources lack information. */
export function statesLack(text: string): boolean {
  return cutSentences(text).some(({ start, end }) => {
    const sentence = text.slice(start, end);
    return stripNoEvidenceStatements(sentence) !== sentence;
  });
}

/** Reports whether a text only repeats the target, with a few words around it. */
function repeats(text: string, target: string): boolean {
  const [said, targetWords] = [joinWords(text), joinWords(target)];
  return said.includes(targetWords) && said.length <= MAX_LENGTH_RATIO * targetWords.length;
}

function joinWords(text: string): string {
  return plainWords(text).join(' ');
}

function tableProblems(tables: readonly Table[], columns: readonly string[], target: string): string[] {
  const [table] = tables;
  if (table === undefined)
    return [t('The step requires a Markdown table with a header, a line of hyphens, and rows.')];
  const problems: string[] = [];
  if (tables.every(({ rows }) => rows.length === 0)) problems.push(t('The table has no rows.'));
  const uneven = tables
    .flatMap(({ header, rows }) => rows.map((row) => [header.length, row.length] as const))
    .filter(([columns, cells]) => columns !== cells).length;
  if (uneven > 0) problems.push(t('Table rows with more or fewer cells than the header: {0}.', uneven));
  const header = tables.flatMap((table) => table.header).join('\n');
  const language = comparedLanguage([target, ...columns].join('\n'), header);
  const headers = comparedTermSet(header, language);
  const missing = columns.filter((column) => {
    const terms = [...comparedTermSet(column, language)];
    return terms.length > 0 && !terms.some((term) => headers.has(term));
  });
  if (missing.length > 0) problems.push(t('The table is missing these columns: {0}.', missing.join(', ')));
  return problems;
}

function tablesIn(text: string): Table[] {
  const tables: { header: readonly string[]; rows: (readonly string[])[] }[] = [];
  let before: string | undefined;
  let open: (typeof tables)[number] | undefined;
  for (const { kind, start, end } of markdownLines(text)) {
    const line = text.slice(start, end);
    if (kind === 'rule' && before !== undefined) {
      open = { header: rowCells(before), rows: [] };
      tables.push(open);
    } else if (kind === 'row') open?.rows.push(rowCells(line));
    else open = undefined;
    before = isTableRow(line) && !isTableRule(line) ? line : undefined;
  }
  return tables;
}
