// Reads the texts of test/fixtures/floors with their questions and statements.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileBytes, type BenchDocument } from '../bench/asking.ts';

const folder = join(import.meta.dirname, '../fixtures/floors');

/** Languages of the texts. */
export const languages = ['en', 'de', 'fr', 'es', 'ru', 'zh'] as const;
export type Language = (typeof languages)[number];

/** Question with the text that answers it, if any. */
export interface FloorQuestion {
  readonly language: Language;
  readonly question: string;
  readonly answer: { readonly document: string; readonly words: string } | undefined;
  /** Queries as a model would write them, in words of the documents. */
  readonly searches: readonly string[];
}

/** A sentence as a model might write it of a document. */
export interface FloorSentence {
  readonly language: Language;
  readonly document: string;
  readonly kind: SentenceKind;
  readonly sentence: string;
}

/** Kinds of sentences: true in other words, altered in one of these ways, or about facts that aren't in the texts. */
const sentenceKinds = ['true', 'number', 'negation', 'subject', 'direction', 'made-up'] as const;
export type SentenceKind = (typeof sentenceKinds)[number];

/** Returns the texts, each by its language and file name: `de/protokoll.txt`. */
export async function floorDocuments(): Promise<BenchDocument[]> {
  const names = languages.flatMap((language) =>
    readdirSync(join(folder, language))
      .toSorted()
      .map((name) => `${language}/${name}`),
  );
  return await Promise.all(
    names.map(async (key) => {
      const title = key.slice(key.indexOf('/') + 1);
      return { title, key, document: await readFileBytes(title, readFileSync(join(folder, key))) };
    }),
  );
}

export function floorQuestions(): FloorQuestion[] {
  return readLines('questions.txt').map(({ language, fields }) => {
    const [question = '', name, words, searches = ''] = fields;
    const answer =
      name === undefined || words === undefined ? undefined : { document: `${language}/${name}`, words };
    return { language, question, answer, searches: searches.split('; ').filter((line) => line !== '') };
  });
}

export function floorSentences(): FloorSentence[] {
  return readLines('sentences.txt').map(({ language, fields: [name = '', of = '', sentence = ''] }) => {
    const kind = sentenceKinds.find((each) => each === of);
    if (kind === undefined) throw new Error(`There is no kind “${of}”: ${sentence}`);
    return { language, document: `${language}/${name}`, kind, sentence };
  });
}

/** Returns the lines after the heading of each language in a file, with fields separated by `|`. */
function readLines(name: string): { readonly language: Language; readonly fields: readonly string[] }[] {
  return readBlocks(name).flatMap((block) => {
    const language = languages.find((each) => each === block.language);
    if (language === undefined) throw new Error(`There is no language “${block.language}”.`);
    return block.lines.map((line) => ({ language, fields: line.split('|') }));
  });
}

function readBlocks(name: string): { readonly language: string; readonly lines: readonly string[] }[] {
  return readFileSync(join(folder, name), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [language = '', ...lines] = block.trim().split('\n');
      return { language, lines };
    });
}

/** Text that is entered in a conversation, and its meaning. */
export interface FloorFollowUp {
  /** Language code such as `pt`. */
  readonly language: string;
  readonly kind: 'all' | 'item' | 'leans' | 'none' | 'of' | 'stands';
  /** Position of the item, or subject of a summary. */
  readonly what: string;
  readonly typed: string;
}

export function floorFollowUps(): FloorFollowUp[] {
  const kinds = ['all', 'item', 'leans', 'none', 'of', 'stands'] as const;
  return readBlocks('follow-ups.txt').flatMap(({ language, lines }) =>
    lines.map((line) => {
      const [means = '', typed = ''] = line.split('|');
      const [named = '', what = ''] = means.split(' ');
      const kind = kinds.find((each) => each === named);
      if (kind === undefined) throw new Error(`There is no kind “${named}”: ${line}`);
      return { language, kind, what, typed };
    }),
  );
}

/** Sentences in a language with a stemmer, and their negations. */
interface FloorNegations {
  /** Language code such as `pt`. */
  readonly language: string;
  /** A sentence of function words that identifies its language. */
  readonly beginning: string;
  readonly pairs: readonly { readonly sentence: string; readonly denied: string }[];
}

export function floorNegations(): FloorNegations[] {
  return readBlocks('negations.txt').map(({ language, lines: [beginning = '', ...lines] }) => ({
    language,
    beginning,
    pairs: lines.map((line) => {
      const [sentence = '', denied = ''] = line.split('|');
      return { sentence, denied };
    }),
  }));
}
