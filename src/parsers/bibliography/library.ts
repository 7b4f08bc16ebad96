import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { parseBounded } from '../../core/domain/bounded-json.ts';
import type { CslItem, LibraryEntry } from '../../core/domain/bibliography.ts';
import { abbreviations, entryFiles, expandedEntry, partBibtex, type BibtexEntry } from './bibtex-entries.ts';
import { anyFields, fields } from '../../core/domain/json-schemas.ts';
import {
  entryArxiv,
  entryFields,
  entryWith,
  plainFields,
  readableFields,
  withXdata,
  type EntryField,
} from './entry-fields.ts';

/** Entries of a library, and a sentence about each entry that can't be read. */
interface ReadLibrary {
  readonly entries: readonly LibraryEntry[];
  readonly warnings: readonly string[];
}

/** Maximum number of entries, and of entries to name among those that can't be read. */
const MAX_ENTRIES = 50_000;
const MAX_NAMED = 20;

/** Maximum length of an entry to save in its original form, in UTF-16 code units. */
const MAX_ENTRY_LENGTH = 50_000;

/** Kinds of entries that only hold fields of others, or name others. */
const NO_WORKS: ReadonlySet<string> = new Set(['set', 'xdata']);

/** Number of entries to parse at once. */
const BATCH = 200;

/** Maximum size of a library in CSL JSON. */
const BOUNDS = { depth: 30, values: 5_000_000 };

const cslItem = v.looseObject({
  id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  type: v.pipe(v.string(), v.regex(/^[a-z][a-z_-]{2,40}$/)),
  'citation-key': v.optional(v.string()),
});

const parsedItem = v.looseObject({ ...cslItem.entries, type: v.string() });
const personName = fields({ family: v.string(), given: v.string(), 'non-dropping-particle': v.unknown() });

/** Returns the works in a file if its name allows them; undefined if the file isn't a library. */
export async function readLibrary(text: string, name: string): Promise<ReadLibrary | undefined> {
  if (/\.bib$/i.test(name)) return readBibtex(text);
  return /\.json$/i.test(name) && /^\s{0,99}\[\s{0,99}\{/.test(text) ? readCslJson(text) : undefined;
}

async function readBibtex(text: string): Promise<ReadLibrary> {
  const { entries: all, preamble, broken } = partBibtex(text);
  const { parse, commands } = await bibtexParser();
  const problems = broken.map(({ key, line }) => unclosedEntry(key, line));
  const read: LibraryEntry[] = [];
  const keys = new Set<string>();
  const strings = abbreviations(preamble);
  // Parse entries together with those that they inherit fields from.
  const parents = new Map(all.map((entry) => [entry.key.toLowerCase(), entry]));
  const entries = all
    .filter(({ kind }) => !NO_WORKS.has(kind))
    .map((entry) => {
      const inherited = withXdata(entry, parents);
      return inherited === undefined ? entry : { ...entry, text: entryWith(entry, inherited) };
    });
  const take = (entry: BibtexEntry, item: CslItem): void => {
    if (keys.has(item.id)) {
      problems.push(
        t(
          'The key “{0}” on line {1} is a duplicate. Open Notebook uses the first entry with this key.',
          item.id,
          entry.line + 1,
        ),
      );
      return;
    }
    keys.add(item.id);
    // Save the original text for data without a CSL field, such as files, groups, and custom entry types.
    const custom = entry.text.length <= MAX_ENTRY_LENGTH && { bibtex: expandedEntry(entry.text, strings) };
    read.push({
      item: custom === false ? item : { ...item, custom },
      line: entry.line,
      files: entryFiles(entry.text),
    });
  };
  for (let start = 0; start < Math.min(entries.length, MAX_ENTRIES); start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    const parseAs = (form: EntryForm, some: readonly BibtexEntry[]): CslItem[] | undefined =>
      parsedAll(some, { preamble, entries: parents, parse, form });
    const readableForm: EntryForm = (own) => readableFields(own, commands);
    const items = parseAs(readableForm, batch);
    for (const [index, entry] of batch.entries()) {
      const item =
        items?.[index] ??
        (items === undefined
          ? (parseAs(readableForm, [entry]) ??
              parseAs((own) => plainFields(readableForm(own)), [entry]) ??
              parseAs((own) => parsableFields(entry, readableForm(own), parse), [entry]))?.[0]
          : undefined);
      if (entry.key !== '' && item !== undefined) take(entry, withArxiv(item, entry));
      else problems.push(unreadable(entry));
    }
    await new Promise(setImmediate);
  }
  return { entries: read, warnings: limitProblems(problems) };
}

type ParseBibtex = (text: string) => CslItem[];
type EntryForm = (fields: readonly EntryField[]) => readonly EntryField[];

/** Returns the entries as items, in order; undefined if one of them can't be parsed. */
function parsedAll(
  batch: readonly BibtexEntry[],
  {
    preamble,
    entries,
    parse,
    form,
  }: {
    readonly preamble: string;
    readonly entries: ReadonlyMap<string, BibtexEntry>;
    readonly parse: ParseBibtex;
    readonly form: EntryForm;
  },
): CslItem[] | undefined {
  const named = new Set(batch);
  const parents = batch.flatMap(({ text }) => {
    const [, key] = /[,\s]crossref\s{0,20}=\s{0,20}["{]([^"{}]{1,200})["}]/i.exec(text) ?? [];
    const parent = key === undefined ? undefined : entries.get(key.trim().toLowerCase());
    if (parent === undefined || named.has(parent)) return [];
    named.add(parent);
    return [parent];
  });
  try {
    const texts = [...batch, ...parents].map((entry) => entryInForm(entry, form));
    const items = parse([preamble, ...texts].join('\n'));
    return items.length === batch.length + parents.length ? items.slice(0, batch.length) : undefined;
  } catch {
    // The caller parses the entries one by one.
    return undefined;
  }
}

/** Returns an entry that citation-js can parse; unchanged if its fields aren't valid. */
function entryInForm(entry: BibtexEntry, form: EntryForm): string {
  const own = entryFields(entry.text);
  return own === undefined ? entry.text : entryWith(entry, form(own));
}

/** Returns the fields that can be parsed, for an entry with one that can't, such as a date of another form. */
function parsableFields(
  entry: BibtexEntry,
  own: readonly EntryField[],
  parse: ParseBibtex,
): readonly EntryField[] {
  const parsable = own.filter((field) => {
    try {
      return parse(entryWith(entry, [field])).length === 1;
    } catch {
      // The parser rejects the field.
      return false;
    }
  });
  // Without its title, an entry names no work.
  return parsable.some(({ name }) => name === 'title') ? parsable : own;
}

/** Returns an item with the arXiv ID that its entry names. */
function withArxiv(item: CslItem, { text }: BibtexEntry): CslItem {
  const number = entryArxiv(entryFields(text) ?? []);
  if (number === undefined) return item;
  return {
    ...item,
    ...(item['number'] === undefined && { number: `arXiv:${number}` }),
    ...(item['URL'] === undefined && item['DOI'] === undefined && { URL: `https://arxiv.org/abs/${number}` }),
  };
}

interface BibtexParser {
  readonly parse: ParseBibtex;
  /** Commands of LaTeX that the parser knows. */
  readonly commands: ReadonlySet<string>;
}

/** Loads citation-js, for the first library only. */
async function bibtexParser(): Promise<BibtexParser> {
  const { plugins } = await import('@citation-js/core');
  await import('@citation-js/plugin-bibtex');
  const { constants } = v.parse(knownCommands, plugins.config.get('@bibtex'));
  const commands = Object.values(constants ?? {}).flatMap((known) => Object.keys(known ?? {}));
  return {
    commands: new Set(['begin', 'end', '&', '%', '$', '#', '_', '{', '}', ...commands]),
    parse(text) {
      const items = plugins.input.chain(text, {
        forceType: '@biblatex/text',
        generateGraph: false,
        strict: true,
        maxChainLength: 10,
        target: '@csl/list+object',
      });
      return v.parse(v.array(parsedItem), items).map(asItem);
    },
  };
}

const knownCommands = fields({
  constants: fields({
    argumentCommands: anyFields,
    commands: anyFields,
    diacritics: anyFields,
    formattingCommands: anyFields,
    formattingEnvs: anyFields,
    mathCommands: anyFields,
  }),
});

/** Converts citation-js's version of an entry to CSL, in which a list of publishers is one string. */
function asItem(item: CslItem): CslItem {
  const { 'citation-key': key } = item;
  const own = Object.entries(item).filter(([name]) => name !== '_graph' && name !== 'citation-key');
  const variables = own.map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, withoutOpenEnd(value)];
    const values = value as unknown[];
    return [
      name,
      values.every((element) => typeof element === 'string')
        ? values.join(' and ')
        : values.filter((author) => !isOthers(author)).map(asName),
    ];
  });
  const hasOthers = Array.isArray(item['author']) && (item['author'] as unknown[]).some(isOthers);
  return {
    ...(hasOthers && { 'has-more-authors': true }),
    ...Object.fromEntries(variables),
    type: item.type,
    id: typeof key === 'string' ? key : item.id,
  };
}

/** Returns a date without the missing end of a period that hasn't ended. */
function withoutOpenEnd(value: unknown): unknown {
  const { 'date-parts': parts } = v.parse(anyFields, value);
  return Array.isArray(parts) && !parts.every(Array.isArray)
    ? { ...v.parse(anyFields, value), 'date-parts': parts.filter(Array.isArray) }
    : value;
}

/** Reports whether a name represents further people: `Ek, E. and others`. */
function isOthers(person: unknown): boolean {
  const { family, given: givenName, 'non-dropping-particle': particle } = v.parse(personName, person);
  const name = [givenName, particle, family].filter((part) => typeof part === 'string').join(' ');
  return /^(?:others|et al\.?)$/i.test(name);
}

/** Returns a name with its particle separated: `{de la} Cruz` and `de la Cruz` are the same name. */
function asName(person: unknown): unknown {
  const name = v.parse(personName, person);
  const { given: givenName, 'non-dropping-particle': first } = name;
  // An accent in braces hides from the parser that a name begins with a capital.
  if (givenName === undefined && typeof first === 'string' && /^\p{Lu}/u.test(first)) {
    const { 'non-dropping-particle': _, ...others } = v.parse(anyFields, person);
    return { ...others, given: first };
  }
  const [, particle, family] = /^((?:\p{Ll}[\p{L}’']*\s)+)(\p{Lu}.*)$/u.exec(name.family ?? '') ?? [];
  if (particle === undefined || name['non-dropping-particle'] !== undefined) return person;
  return { ...v.parse(anyFields, person), family, 'non-dropping-particle': particle.trim() };
}

function readCslJson(text: string): ReadLibrary | undefined {
  let items: unknown;
  try {
    items = parseBounded(text, BOUNDS);
  } catch {
    // The file isn't JSON.
    return undefined;
  }
  if (!Array.isArray(items)) return undefined;
  const parsed = (items as unknown[]).slice(0, MAX_ENTRIES).map((item) => v.safeParse(cslItem, item));
  const fitting = parsed.filter(({ success }) => success).length;
  // A list of other objects isn't a library.
  if (fitting === 0 || fitting < parsed.length / 2) return undefined;
  const lines = linesOfIds(text);
  const problems: string[] = [];
  const keys = new Set<string>();
  const entries = parsed.flatMap((item, index): LibraryEntry[] => {
    if (!item.success) {
      problems.push(t('Skipped entry {0} because it has no ID or no type.', index + 1));
      return [];
    }
    const id = item.output['citation-key'] ?? item.output.id;
    if (keys.has(id)) {
      problems.push(
        t(
          'The key “{0}” on line {1} is a duplicate. Open Notebook uses the first entry with this key.',
          id,
          (lines.get(item.output.id) ?? 0) + 1,
        ),
      );
      return [];
    }
    keys.add(id);
    return [{ item: { ...item.output, id }, line: lines.get(item.output.id) ?? 0, files: [] }];
  });
  return { entries, warnings: limitProblems(problems) };
}

/** Returns the zero-based line of each ID. */
function linesOfIds(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const [, id] = /"id"\s{0,20}:\s{0,20}"([^"\\]{1,300})"/.exec(line.slice(0, 2_000)) ?? [];
    if (id !== undefined && !lines.has(id)) lines.set(id, index);
  }
  return lines;
}

function unclosedEntry(key: string, line: number): string {
  return key === ''
    ? t('Skipped the entry on line {0} because a closing brace is missing. Add the brace.', line + 1)
    : t(
        'Skipped the entry “{0}” on line {1} because a closing brace is missing. Add the brace.',
        key,
        line + 1,
      );
}

function unreadable({ key, line }: BibtexEntry): string {
  return key === ''
    ? t('Skipped the entry on line {0} because it has no citation key. Add a key.', line + 1)
    : t(
        'Skipped the entry “{0}” on line {1} because it isn’t valid. Check for a missing comma or brace.',
        key,
        line + 1,
      );
}

function limitProblems(problems: readonly string[]): string[] {
  const unlistedCount = problems.length - MAX_NAMED;
  return [
    ...problems.slice(0, MAX_NAMED),
    ...(unlistedCount > 0 ? [t('Other skipped entries: {0}.', unlistedCount)] : []),
  ];
}
