import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { isMap, parseDocument } from 'yaml';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Template } from '../../../core/domain/template.ts';

/** Default instructions for notes on a part, if a template has none. */
const USUAL_NOTES = 'What this part says: its statements, with their figures, names, dates and reasons.';
const MAX_LINE_LENGTH = 400;
const MAX_WORDS_LENGTH = 20_000;
/** Maximum number of translations of a line. */
const MAX_LANGUAGES = 40;

const words = (longest: number): v.GenericSchema<unknown, string> =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest));
const line = words(MAX_LINE_LENGTH);
/** One text for all languages, or one for each by its code: `en`, `zh-cn`. */
const localizedText = v.union([line, v.pipe(v.record(v.string(), line), v.maxEntries(MAX_LANGUAGES))]);

const fields = {
  title: localizedText,
  description: v.optional(localizedText),
  notes: v.optional(words(MAX_WORDS_LENGTH), USUAL_NOTES),
  since: v.optional(v.boolean(), false),
  supported: v.optional(v.boolean(), false),
};

/** A template that was read, and what of its file was left out. */
export interface ReadTemplate {
  readonly template: Template;
  /** One sentence for each, with the name of the file. */
  readonly problems: readonly string[];
}

/**
 * Parses a template from a Markdown file: `title`, `description`, `notes`, `since`, and `supported` as front matter
 * between lines of `---`, and the writing instructions below. `file` is the file's name, `language` a code such as
 * `zh-cn`.
 * @throws NotebookError whose message names the file and the problem
 */
export function readTemplate(bytes: Uint8Array, file: string, language: string): ReadTemplate {
  const { yaml, body } = splitHead(decodeTemplate(bytes, file), file);
  const head = parseHead(yaml, file);
  const problems = Object.keys(head)
    .filter((field) => !(field in fields))
    .map((field) => t('{0}: “{1}” isn’t a template field, so it’s ignored.', file, field.slice(0, 60)));
  const read = v.safeParse(v.object(fields), head);
  if (!read.success) {
    const key = read.issues[0].path?.[0]?.key;
    const field = typeof key === 'string' ? key : '';
    throw new NotebookError('unsupported', describeIssue(file, field));
  }
  const writing = body.trim();
  if (writing === '')
    throw new NotebookError(
      'unsupported',
      t('{0}: there’s no text below the front matter. Add instructions for the model there.', file),
    );
  if (writing.length > MAX_WORDS_LENGTH) throw tooLarge(file);
  const { title, description = '', notes, since, supported } = read.output;
  const name = file.replace(/\.md$/i, '');
  return {
    template: {
      ...{ name, title: inLanguage(title, language), description: inLanguage(description, language) },
      ...{ notes, writing, asksSince: since, ...(supported ? { onlySupported: true } : {}) },
    },
    problems,
  };
}

/** Files of more bytes are not read. */
export const MAX_TEMPLATE_SIZE = 64 * 1024;

/** Creates the error for a template file that is too large. */
export function tooLarge(file: string): NotebookError {
  return new NotebookError(
    'too-large',
    t(
      '{0} is too large for a template. The maximum is {1} characters.',
      file,
      MAX_WORDS_LENGTH.toLocaleString(),
    ),
  );
}

function decodeTemplate(bytes: Uint8Array, file: string): string {
  if (bytes.length > MAX_TEMPLATE_SIZE) throw tooLarge(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text.replaceAll('\r\n', '\n');
  } catch {
    // The bytes aren't valid UTF-8. The error is thrown below.
  }
  throw new NotebookError('binary', t('{0} isn’t a text file, so it can’t be used as a template.', file));
}

function splitHead(text: string, file: string): { readonly yaml: string; readonly body: string } {
  const end = text.startsWith('---\n') ? `${text}\n`.indexOf('\n---\n', 3) : -1;
  if (end < 0)
    throw new NotebookError(
      'unsupported',
      t('{0}: a template must begin with front matter between two lines of ---.', file),
    );
  return { yaml: text.slice(4, end + 1), body: text.slice(end + '\n---\n'.length) };
}

function parseHead(yaml: string, file: string): Record<string, unknown> {
  const document = parseDocument(yaml, { prettyErrors: false });
  try {
    if (document.errors.length === 0 && isMap(document.contents))
      return Object.fromEntries(Object.entries(document.toJS({ maxAliasCount: 20 }) as object));
  } catch {
    // An alias has no anchor, or there are too many aliases. The error is thrown below.
  }
  throw new NotebookError(
    'unsupported',
    t('{0}: the front matter isn’t valid YAML with names and values.', file),
  );
}

function describeIssue(file: string, field: string): string {
  switch (field) {
    case 'since':
    case 'supported':
      return t('{0}: “{1}” must be true or false.', file, field);
    case 'title':
      return t('{0}: “{1}” must be a single line of text, or one line for each language.', file, field);
    default:
      return t('{0}: “{1}” must be text that isn’t empty or too long.', file, field);
  }
}

/** Returns the text for a language: for `zh-cn`, tries that code, then `zh`, then English, then the first one. */
function inLanguage(texts: string | Readonly<Record<string, string>>, language: string): string {
  if (typeof texts === 'string') return texts;
  const byCode = new Map(Object.entries(texts).map(([code, text]) => [code.toLowerCase(), text]));
  const code = language.toLowerCase();
  return (
    byCode.get(code) ??
    byCode.get(code.split('-')[0] ?? '') ??
    byCode.get('en') ??
    [...byCode.values()][0] ??
    ''
  );
}
