import { t } from '@vscode/l10n';
import { fenceWords, newFence } from '../../../../answers/retrieving/fenced-passages.ts';
import { estimateTokens } from '../../../../core/language/tokens.ts';
import { withMarks } from '../../../../core/domain/answer-markdown.ts';
import { NotebookError, throwIfCanceled } from '../../../../core/domain/errors.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import { ALL_SOURCES, SOURCE_PREFIX, type PlanStep, type Product } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';
import { gatherEach, TOKENS_AROUND } from '../skills/gather-each.ts';
import { cutToTokens } from './cut-to-tokens.ts';
import type { NumberedPassages } from './numbered-passages.ts';
import { findCitationStatus, type CitationStatus } from './citation-status.ts';
import type { ResearchServices } from './services.ts';

/** Maximum share of product texts in the materials. The rest is for passages. */
const SHARE_OF_TEXTS = 0.5;
/** Maximum number of passages from all sources before the first search. */
const MAX_INITIAL_PASSAGES = 8;
const TOKENS_OF_PASSAGE = 400;

/** Materials of a step, as its worker sees them. */
export interface Materials {
  /** Fenced texts and passages, with an explanation of the fences. */
  readonly text: string;
  /** Materials that were gone, changed, or too long, one sentence each for the user. */
  readonly notes: readonly string[];
  /** IDs of the only sources for the step; undefined for all sources. */
  readonly sourceIds: ReadonlySet<string> | undefined;
  /** Products with statements by people, which need no source. */
  readonly said: readonly Product[];
}

/**
 * Builds the materials of a step within a number of tokens: products with the passages that they cite, and the first
 * passages of its sources.
 * @throws NotebookError `not-found` if none of its materials exists anymore
 */
export async function buildStepContext(
  step: PlanStep,
  products: readonly Product[],
  {
    services,
    numbered,
    signal,
  }: {
    readonly services: ResearchServices;
    readonly numbered: NumberedPassages;
    readonly signal: AbortSignal;
  },
  tokens: number,
): Promise<Materials> {
  const notes: string[] = [];
  const sources = await services.sources();
  throwIfCanceled(signal);
  const ids = step.materials
    .filter((material) => material.startsWith(SOURCE_PREFIX))
    .map((material) => material.slice(SOURCE_PREFIX.length));
  const named = sources.filter(({ id }) => ids.includes(id));
  if (named.length < ids.length)
    notes.push(
      ids.length - named.length === 1
        ? t('1 source among the inputs is no longer in the notebook.')
        : t('{0} sources among the inputs are no longer in the notebook.', ids.length - named.length),
    );
  const takesAll = step.materials.includes(ALL_SOURCES);
  const standing = await findCitationStatus(products, sources, services.finder);
  const { passages: cited, changed } = standing;
  noteChanges(standing, notes);
  throwIfCanceled(signal);
  // Read changed sources that a product cites again.
  const looked = [...new Set([...named, ...sources.filter(({ id }) => changed.has(id))])];
  if (takesAll && sources.length === 0)
    throw new NotebookError(
      'not-found',
      t('The notebook has no sources. Add sources, then rerun this step.'),
    );
  const isBereft =
    !takesAll &&
    looked.length === 0 &&
    step.materials.length > 0 &&
    products.every(({ createdBy, citations }) => createdBy.kind === 'model' && citations.length > 0) &&
    cited.length === 0;
  if (isBereft)
    throw new NotebookError(
      'not-found',
      t('The inputs of this step are no longer in the notebook. Add them again, or change the step.'),
    );

  const parts: string[] = [];
  const fence = newFence('product');
  // Assign numbers in the order of the texts that cite them.
  for (const passage of cited) numbered.passageNumber(passage);
  let room = SHARE_OF_TEXTS * tokens;
  for (const product of products) {
    const text = fitText(markedText(product, cited, numbered), room);
    room -= estimateTokens(text);
    if (text.endsWith(CUT))
      notes.push(
        t(
          'The input “{0}” doesn’t fit the context window of the model, so only its beginning was used.',
          product.id,
        ),
      );
    parts.push(`Material ${product.id}:\n${fenceMarked(text, fence)}`);
  }
  const remainingTokens = tokens - parts.reduce((sum, part) => sum + estimateTokens(part), 0);
  const free =
    remainingTokens - cited.reduce((sum, { text }) => sum + estimateTokens(text) + TOKENS_AROUND, 0);
  const first = await firstPassages(step, takesAll ? undefined : looked, free, services, signal);
  throwIfCanceled(signal);
  for (const title of first.shortened)
    notes.push(
      t(
        '“{0}” doesn’t fit the context window of the model, so only the passages that best match the step were read.',
        title,
      ),
    );
  const shown = numbered.show([...cited, ...first.passages], remainingTokens);
  if (shown.text !== '') parts.push(`Passages:\n${shown.text}`);
  if (changed.size > 0)
    parts.push(
      'Sources changed since some of this was made from them: where a material has a sentence without a number, rely on what the passages say now.',
    );
  if (named.length > 0)
    parts.push(
      `Made from these sources alone:\n${fenceWords(named.map(({ title }) => title).join('\n'), newFence('sources'))}`,
    );
  return {
    text: parts.join('\n\n'),
    notes,
    sourceIds: takesAll || ids.length === 0 ? undefined : new Set(ids),
    said: products.filter(({ createdBy, citations }) => createdBy.kind === 'user' && citations.length === 0),
  };
}

/** Adds notes on cited text that is gone or changed. */
function noteChanges({ removed, changed }: CitationStatus, notes: string[]): void {
  if (removed.size > 0)
    notes.push(t('No longer in the notebook, so not used: {0}.', [...new Set(removed.values())].join(', ')));
  if (changed.size > 0)
    notes.push(
      t(
        'Changed since they were cited, so the cited text wasn’t used: {0}.',
        [...new Set(changed.values())].join(', '),
      ),
    );
}

interface FirstPassages {
  readonly passages: readonly FoundPassage[];
  /** Titles of the sources that were read only in part. */
  readonly shortened: readonly string[];
}

/**
 * Returns the first passages: the best ones of all sources, or of each named source as many as fit into its share of
 * the tokens. Returns everything if it fits.
 */
async function firstPassages(
  { materials, target }: PlanStep,
  named: readonly Source[] | undefined,
  tokens: number,
  { finder, finderIn }: ResearchServices,
  signal: AbortSignal,
): Promise<FirstPassages> {
  if (materials.includes(ALL_SOURCES)) {
    const { passages } = await finder.gather([target], MAX_INITIAL_PASSAGES * TOKENS_OF_PASSAGE, signal);
    return { passages: passages.slice(0, 2 * MAX_INITIAL_PASSAGES), shortened: [] };
  }
  return await gatherEach(named ?? [], [target], tokens, finderIn, signal);
}

/** Returns a product's text with the numbers of the passages that its sentences cite. Removed passages have none. */
function markedText(product: Product, cited: readonly FoundPassage[], numbered: NumberedPassages): string {
  return withMarks(product, (indexes) => {
    const numbers = indexes.flatMap((index) => {
      const citation = product.citations[index];
      const passage =
        citation &&
        cited.find(
          ({ documentId, start, end }) =>
            documentId === citation.documentId &&
            start === citation.passage.start &&
            end === citation.passage.end,
        );
      return passage === undefined ? [] : [numbered.passageNumber(passage)];
    });
    return [...new Set(numbers)].map((number) => `[${String(number)}]`).join('');
  });
}

const CUT = '\n(The rest found no room.)';

function fitText(text: string, tokens: number): string {
  const fitting = cutToTokens(text, tokens);
  return fitting === text ? text : fitting + CUT;
}

/** Fences our own text, whose citation marks are preserved. */
function fenceMarked(text: string, fence: string): string {
  return `<${fence}>\n${text}\n</${fence}>`;
}
