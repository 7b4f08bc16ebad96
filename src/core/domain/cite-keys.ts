import { markdownLines } from '../language/markdown-lines.ts';

/** One work of a citation in a note: in `[see @wang2023, pp. 3–4; -@xie2024]` the first has a prefix and a locator. */
export interface CitedWork {
  readonly key: string;
  readonly prefix: string;
  readonly suffix: string;
  /** `-@key`: the sentence already names its authors. */
  readonly isYearAlone: boolean;
  /** Start of the key, including its `@`, in UTF-16 code units of the text. */
  readonly start: number;
  readonly end: number;
}

/** Citation in a note, including its brackets. */
interface WorkCitation {
  readonly start: number;
  readonly end: number;
  readonly works: readonly CitedWork[];
}

/** Pattern of a citation key in Pandoc's syntax. */
const CITE_KEY = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_]|[:.#$%&+?<>~/-](?=[\\p{L}\\p{N}_])){0,199}';

const WHOLE_CITE_KEY = new RegExp(`^${CITE_KEY}$`, 'u');

/** Reports whether notes can cite a reference by this key. */
export function isCitationKey(text: string): boolean {
  return WHOLE_CITE_KEY.test(text);
}

/** Returns the citations of works by key in a note, in order, without those in code. */
export function workCitations(text: string): WorkCitation[] {
  return Array.from(markdownLines(text)).flatMap(({ kind, start, end }) =>
    kind === 'opening' || kind === 'code' || kind === 'closing'
      ? []
      : citationsOfLine(text.slice(start, end), start),
  );
}

function citationsOfLine(line: string, from: number): WorkCitation[] {
  if (!line.includes('@')) return [];
  const code = codeSpans(line);
  return Array.from(line.matchAll(/\[([^[\]]{0,500})\](?![(:])/g)).flatMap(
    ({ 0: whole, 1: inside = '', index }) => {
      if (code.some(({ start, end }) => start <= index && index < end)) return [];
      let at = from + index + 1;
      const works: CitedWork[] = [];
      for (const part of inside.split(';')) {
        const reference = parseWork(part, at);
        if (reference === undefined) return [];
        works.push(reference);
        at += part.length + 1;
      }
      return [{ start: from + index, end: from + index + whole.length, works }];
    },
  );
}

const WORK = new RegExp(`^([^@]{0,200}?)(-?)@(${CITE_KEY})(.{0,200})$`, 'u');

function parseWork(part: string, from: number): CitedWork | undefined {
  const [, prefix = '', minus = '', key = '', suffix = ''] = WORK.exec(part) ?? [];
  // An email address isn't a citation.
  if (key === '' || /[\p{L}\p{N}.]$/u.test(prefix)) return undefined;
  const start = from + prefix.length + minus.length;
  return {
    key,
    prefix: prefix.trim(),
    suffix: suffix.trim(),
    isYearAlone: minus === '-',
    start,
    end: start + key.length + 1,
  };
}

function codeSpans(line: string): { readonly start: number; readonly end: number }[] {
  return Array.from(line.matchAll(/(`{1,9})[^`]{1,2000}\1/g), ({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }));
}
