import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { parseBounded } from '../core/domain/bounded-json.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { maybe } from '../core/domain/json-schemas.ts';
import { contentHash } from './content-hash.ts';
import { decodeText } from './text-decoding.ts';
import { documentOfText } from './text-file.ts';

/** Number of words of the text that replace a missing title. */
const TITLE_WORDS = 5;

const BOUNDS = { depth: 50, values: 2_000_000 };

/** Field with more than white space. */
const words = maybe(v.pipe(v.string(), v.regex(/\S/)));
const entry = v.object({ content: words, pasted_text: words, title: words, filename: words, url: words });

/** Request to read a file of the knowledge base. */
export interface KnowledgeRequest {
  readonly content:
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array };
  /** File name for messages. */
  readonly name: string;
  /** Texts with fewer characters are refused. */
  readonly minimumLength: number;
}

/** Text of the Streamlit app's knowledge base; `url` is set if it was a web page. */
export interface KnowledgeEntry {
  readonly title: string;
  readonly url: string | undefined;
  readonly document: ReadDocument;
  /** SHA-256 of the text in UTF-8, in hexadecimal, and its length in UTF-8, in bytes. */
  readonly hash: string;
  readonly size: number;
}

/** Contents of a knowledge base file; `problems` has one sentence for each entry that can't be read. */
export interface KnowledgeReading {
  readonly entries: readonly KnowledgeEntry[];
  readonly problems: readonly string[];
}

/**
 * Reads a JSON file of the Streamlit app's knowledge base: an entry with `content` or `pasted_text` and with `title`,
 * `filename` or `url`, or a list of entries. Never throws: the result lists the entries that can't be read.
 */
export function readKnowledge(bytes: Uint8Array, name: string, minimumLength: number): KnowledgeReading {
  let json: unknown;
  try {
    json = parseBounded(decodeText(bytes), BOUNDS);
  } catch (error) {
    if (error instanceof RangeError)
      return { entries: [], problems: [t('{0} is too large for a knowledge base file.', name)] };
    return { entries: [], problems: [t('{0} isn’t valid JSON.', name)] };
  }
  if (!Array.isArray(json)) return gather([readEntry(json, name, minimumLength)]);
  const values: readonly unknown[] = json;
  if (values.length === 0) return { entries: [], problems: [t('{0} has no entries.', name)] };
  return gather(
    values.map((value, i) => readEntry(value, t('Entry {0} in {1}', i + 1, name), minimumLength)),
  );
}

function gather(read: readonly (KnowledgeEntry | string)[]): KnowledgeReading {
  return {
    entries: read.filter((item) => typeof item !== 'string'),
    problems: read.filter((item) => typeof item === 'string'),
  };
}

/** Returns an entry, or a sentence that explains why it isn't valid. */
function readEntry(value: unknown, place: string, minimumLength: number): KnowledgeEntry | string {
  const read = v.safeParse(entry, value);
  if (!read.success) return t('{0} isn’t a valid knowledge base entry.', place);
  const { content, pasted_text: pasted, filename } = read.output;
  const text = content ?? pasted;
  if (text === undefined) return t('{0} has neither a content field nor a pasted_text field.', place);
  const { length } = text.trim();
  if (length < minimumLength)
    return t(
      '{0} is too short. It needs at least {2} characters of text, but has {1}.',
      place,
      length,
      minimumLength,
    );
  const url = webAddress(read.output.url);
  const title =
    read.output.title?.trim() ?? filename?.trim() ?? url ?? text.trim().split(/\s+/u, TITLE_WORDS).join(' ');
  const bytes = new TextEncoder().encode(text);
  return {
    title,
    url,
    document: { ...documentOfText(text, 'text.md'), title, map: { kind: 'saved' } },
    hash: contentHash(bytes),
    size: bytes.length,
  };
}

function webAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
