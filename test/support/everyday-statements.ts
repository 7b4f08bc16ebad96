// Reads the statements about the documents of test/fixtures/everyday, and checks them by rules.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules, type Check } from '../../src/answers/checking/rules.ts';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { cutPassage, type FoundPassage } from '../../src/core/domain/passage.ts';
import { findTables } from '../../src/core/language/tables.ts';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { readFileBytes } from '../bench/asking.ts';
import { makePassage } from '../unit/answering-fixtures.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const SETTINGS = { size: 1_500, overlap: 50 };

/** Statement as a model could write it about a document, with the text that it cites. */
interface EverydayStatement {
  readonly set: string;
  readonly truth: 'false' | 'supported';
  readonly language: string;
  readonly kind: string;
  readonly document: string;
  readonly cited: readonly string[];
  readonly statement: string;
}

/**
 * Passages of a check: the cited sentences and rows only, the passages with them, or all passages of the notebook.
 */
export const evidenceSizes = ['sentences', 'passages', 'notebook'] as const;
type EvidenceSize = (typeof evidenceSizes)[number];

interface CheckedStatement extends EverydayStatement {
  readonly size: EvidenceSize;
  readonly check: Check;
}

/** Returns the statements of all sets in order. */
function everydayStatements(): EverydayStatement[] {
  const lines = readFileSync(join(fixtures, 'evidence/everyday-statements.tsv'), 'utf8').trim().split('\n');
  return lines.slice(1).map((line) => {
    const [set = '', truth, language = '', kind = '', document = '', cited = '', statement = ''] =
      line.split('\t');
    if (truth !== 'supported' && truth !== 'false')
      throw new Error(`A statement isn't true or false: ${line}`);
    return { set, truth, language, kind, document, cited: cited.split(' ¶ '), statement };
  });
}

/** Checks all statements by rules against evidence of each size. */
export async function checkEverydayStatements(): Promise<CheckedStatement[]> {
  const statements = everydayStatements();
  const names = readdirSync(join(fixtures, 'everyday'));
  const passagesOf = new Map<string, readonly FoundPassage[]>();
  const documents = new Map<string, ReadDocument>();
  for (const [i, name] of names.filter((each) => each.includes('--')).entries()) {
    const document = await readFileBytes(name, readFileSync(join(fixtures, 'everyday', name)));
    documents.set(name, document);
    const { text, format } = document;
    passagesOf.set(
      name,
      splitForWindows(document, SETTINGS).map((passage) =>
        makePassage({ id: i + 1, title: name, text, format, headings: passage.headings }, passage),
      ),
    );
  }
  const notebooks = new Map(
    [...new Set(names.map(groupOf))].map((group) => {
      const passages = [...passagesOf].flatMap(([name, own]) => (groupOf(name) === group ? own : []));
      return [group, { passages, evidence: prepareEvidence(passages) }] as const;
    }),
  );
  return statements.flatMap((each) => {
    const own = passagesOf.get(each.document) ?? [];
    const cited = [...new Set(each.cited.map((words) => passageWith(words, own)))];
    const sentences = each.cited.map((words) => sentenceWith(words, passageWith(words, own)));
    const notebook = notebooks.get(groupOf(each.document));
    const check = (size: EvidenceSize): Check => {
      if (size === 'notebook' && notebook !== undefined) {
        const indexes = cited.map((passage) => notebook.passages.indexOf(passage));
        return checkByRules(each.statement, indexes, notebook.evidence);
      }
      const passages = size === 'sentences' ? sentences : cited;
      return checkByRules(each.statement, [...passages.keys()], prepareEvidence(passages));
    };
    return evidenceSizes.map((size) => ({ ...each, size, check: check(size) }));
  });
}

function groupOf(name: string): string {
  return name.replace(/--.*/, '');
}

function passageWith(words: string, passages: readonly FoundPassage[]): FoundPassage {
  const passage = passages.find(({ text }) => text.replaceAll(/\s+/g, ' ').includes(words));
  if (passage === undefined) throw new Error(`No passage contains the cited text: ${words}`);
  return passage;
}

/** Returns a passage with only the sentences or the row that contain words, and the header of the row's table. */
function sentenceWith(words: string, passage: FoundPassage): FoundPassage {
  const { text, format, documentId, sourceTitle, headings } = passage;
  const units = cutPassage(passage);
  const flat = (from: number, to: number): string => text.slice(from, to).replaceAll(/\s+/g, ' ');
  const last = units.findIndex(({ end }) => flat(0, end).includes(words));
  const first = units.findLastIndex(({ start }) => flat(start, text.length).includes(words));
  const start = units[Math.max(0, first)]?.start ?? 0;
  const end = units[last]?.end ?? text.length;
  const table = findTables(text).find((each) => each.start < start && start < each.end);
  const header = table?.header.map((row) => text.slice(row.start, row.end)) ?? [];
  const rule = header.length > 0 ? [`|${' --- |'.repeat((header[0] ?? '').split('|').length - 2)}`] : [];
  return makePassage({
    ...{ id: documentId, title: sourceTitle, format, headings },
    text: [...header, ...rule, text.slice(start, end)].join('\n'),
  });
}
