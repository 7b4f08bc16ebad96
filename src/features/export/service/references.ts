import { t } from '@vscode/l10n';
import type CSL from 'citeproc';
import { entryOfItem, type CslItem } from '../../../core/domain/bibliography.ts';
import { workCitations, type CitedWork } from '../../../core/domain/cite-keys.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';

/** Text with citations by key, and the references with these keys. */
export interface CiteRequest {
  readonly text: string;
  readonly items: readonly CslItem[];
  /** CSL style as XML; undefined for APA. */
  readonly style: string | undefined;
  /** Language of the words that the style adds, as a BCP 47 tag. */
  readonly language: string;
}

/**
 * Writes references as a BibLaTeX file. Entries from .bib files stay as they are. Entries that refer to others come
 * first, as BibTeX requires.
 */
export async function writeBibtex(items: readonly CslItem[]): Promise<string> {
  const { plugins } = await import('@citation-js/core');
  await import('@citation-js/plugin-bibtex');
  const { format } = plugins.config.get('@bibtex') as unknown as {
    readonly format: { asciiOnly: boolean; checkLabel: boolean; useIdAsLabel: boolean };
  };
  Object.assign(format, { asciiOnly: false, checkLabel: false, useIdAsLabel: true });
  const labelled = items
    .filter((item) => entryOfItem(item) === undefined)
    .map((item) => ({ ...item, 'citation-key': item.id }));
  const bibtex: unknown = labelled.length === 0 ? '' : plugins.output.format('biblatex', labelled as never);
  const entries = items.flatMap((item) => entryOfItem(item) ?? []);
  const takesFromOther = (entry: string): boolean => /[,\s](?:crossref|xdata)\s{0,20}=/i.test(entry);
  const sorted = [
    ...entries.filter(takesFromOther),
    ...entries.filter((entry) => !takesFromOther(entry)),
    String(bibtex).trim(),
  ];
  return `${sorted.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * Returns a note's Markdown with its citations by key written out in a style, as footnotes if the style uses them, and
 * the references at the end. Citations with unknown keys stay as they are.
 * @throws NotebookError `damaged` if the style isn't valid
 */
export async function citeWorks({ text, items, style, language }: CiteRequest): Promise<string> {
  const known = new Map(items.map((item) => [item.id, item]));
  const citations = workCitations(text).filter(({ works }) => works.every(({ key }) => known.has(key)));
  if (citations.length === 0) return text;
  const engine = await makeEngine(style, language, known);
  const marks = engine.rebuildProcessorState(
    citations.map(({ works }, index) => ({
      citationID: String(index),
      citationItems: works.map(citationItem),
      properties: { noteIndex: engine.opt.xclass === 'note' ? index + 1 : 0 },
    })),
    MARKDOWN,
  );
  const isNote = engine.opt.xclass === 'note';
  let result = '';
  let from = 0;
  for (const [index, { start, end }] of citations.entries()) {
    const mark = oneLine(marks[index]?.[2] ?? '');
    const before = text.slice(from, start);
    // A footnote mark follows the word without a space.
    result += isNote ? `${before.trimEnd()}[^work-${String(index + 1)}]` : before + mark;
    from = end;
  }
  result += text.slice(from);
  const notes = isNote
    ? marks.map(([, , mark], index) => `[^work-${String(index + 1)}]: ${oneLine(mark)}`)
    : [];
  const bibliography = engine.makeBibliography();
  const list = bibliography === false ? [] : bibliography[1].map(oneLine);
  return [
    result.trimEnd(),
    ...(list.length > 0 ? [`## ${t('References')}`, ...list] : []),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    '',
  ].join('\n\n');
}

const MARKDOWN = 'markdown';

async function makeEngine(
  style: string | undefined,
  language: string,
  items: ReadonlyMap<string, CslItem>,
): Promise<InstanceType<typeof CSL.Engine>> {
  const { default: processor } = await import('citeproc');
  const { default: locales } = await import('@citation-js/plugin-csl/lib/locales.json', {
    with: { type: 'json' },
  });
  const { default: styles } = await import('@citation-js/plugin-csl/lib/styles.json', {
    with: { type: 'json' },
  });
  const words = locales as Readonly<Record<string, string>>;
  processor.Output.Formats[MARKDOWN] ??= markdownFormat;
  const system = {
    retrieveItem: (id: string): object => items.get(id) ?? {},
    retrieveLocale: (locale: string): string | false => words[locale] ?? words['en-US'] ?? false,
  };
  const available = Object.keys(words).find((name) => name.slice(0, 2) === language.slice(0, 2)) ?? 'en-US';
  try {
    const engine = new processor.Engine(system, style ?? (styles as { readonly apa: string }).apa, available);
    engine.setOutputFormat(MARKDOWN);
    engine.updateItems([...items.keys()]);
    return engine;
  } catch (error) {
    throw new NotebookError(
      'damaged',
      t('Can’t use this citation style. Choose a .csl file that contains a complete style.'),
      { cause: error },
    );
  }
}

const LOCATORS: readonly (readonly [RegExp, string])[] = [
  [/^(?:pp?\.?|pages?|S\.)\s{0,9}(?=[\divxlc])/i, 'page'],
  [/^(?:ch(?:ap)?\.?|chapters?)\s{0,9}(?=\d)/i, 'chapter'],
  [/^(?:sec\.?|sections?|§)\s{0,9}(?=\d)/i, 'section'],
  [/^(?:fig\.?|figures?)\s{0,9}(?=\d)/i, 'figure'],
];

/** Converts a citation: `, pp. 3–4` becomes a locator, and any other text follows the citation. */
function citationItem({ key, prefix, suffix, isYearAlone }: CitedWork) {
  const after = suffix.replace(/^,\s*/, '');
  const [pattern, label] = LOCATORS.find(([one]) => one.test(after)) ?? [];
  return {
    id: key,
    ...(prefix !== '' && { prefix: `${prefix} ` }),
    ...(pattern !== undefined && label !== undefined
      ? { label, locator: after.replace(pattern, '') }
      : suffix !== '' && { suffix: suffix.startsWith(',') ? suffix : ` ${suffix}` }),
    ...(isYearAlone && { 'suppress-author': true }),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Escapes words of a reference for Markdown, with the surrounding spaces, which belong to the style. */
function escapeField(text: string | undefined): string {
  const words = text?.trim() ?? '';
  if (text === undefined || words === '') return text ?? '';
  const start = text.length - text.trimStart().length;
  const marked = /^https?:/.test(words) ? words : sanitizeWords(words).replaceAll(/(?<!\\)[_*]/g, '\\$&');
  return text.slice(0, start) + marked + text.slice(text.trimEnd().length);
}

const asIs = (_: unknown, text: string): string => text;

/** Markdown marks for the italics and bold of a style. The words can't load or run anything. */
const markdownFormat = {
  text_escape: escapeField,
  bibstart: '',
  bibend: '',
  '@font-style/italic': '_%%STRING%%_',
  '@font-style/oblique': '_%%STRING%%_',
  '@font-style/normal': false,
  '@font-variant/small-caps': false,
  '@font-variant/normal': false,
  '@passthrough/true': asIs,
  '@font-weight/bold': '**%%STRING%%**',
  '@font-weight/normal': false,
  '@font-weight/light': false,
  '@text-decoration/none': false,
  '@text-decoration/underline': false,
  '@vertical-align/baseline': false,
  '@vertical-align/sup': false,
  '@vertical-align/sub': false,
  '@strip-periods/true': asIs,
  '@strip-periods/false': asIs,
  '@quotes/true': (state: QuoteState, text: string | undefined): string =>
    text === undefined ? '“' : state.getTerm('open-quote') + text + state.getTerm('close-quote'),
  '@quotes/inner': (state: QuoteState, text: string | undefined): string =>
    text === undefined ? '’' : state.getTerm('open-inner-quote') + text + state.getTerm('close-inner-quote'),
  '@quotes/false': false,
  '@cite/entry': asIs,
  '@bibliography/entry': (_: unknown, text: string): string => `${text}\n`,
  '@display/block': asIs,
  '@display/left-margin': (_: unknown, text: string): string => `${text} `,
  '@display/right-inline': asIs,
  '@display/indent': asIs,
  '@showid/true': asIs,
  '@URL/true': asIs,
  '@DOI/true': asIs,
};

interface QuoteState {
  getTerm(name: string): string;
}
