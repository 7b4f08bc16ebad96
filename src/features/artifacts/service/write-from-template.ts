import { createHash } from 'node:crypto';
import { t } from '@vscode/l10n';
import { askAll } from '../../../answers/models/ask-all.ts';
import type { ChatMessage, LanguageModel } from '../../../answers/models/language-model.ts';
import { withoutThinking } from '../../../answers/models/without-thinking.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { checkText } from '../../../answers/writing/check-text.ts';
import {
  countClaims,
  isRefuted,
  joinTexts,
  restsOnSource,
  withoutStatements,
  type CitedText,
} from '../../../answers/writing/cited-text.ts';
import { measuredPrompt, type Prompt } from '../../../answers/writing/prompt.ts';
import { estimateTokens } from '../../../core/language/tokens.ts';
import { withMarks } from '../../../core/domain/answer-markdown.ts';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import type { FoundPassage, PassagePlace } from '../../../core/domain/passage.ts';
import type { DocumentVersion } from '../../../core/domain/artifact.ts';
import type { Template } from '../../../core/domain/template.ts';
import type { PartNotes, WritingPlan, PlannedPart } from '../../../core/domain/writing.ts';
import {
  mergeMessages,
  NOTES_TASK,
  notesInstructions,
  writeMessages,
  writingInstructions,
  writingTask,
} from './requests.ts';
import { MAX_NOTE_TOKENS, tokensOfNotes } from './tokens.ts';

/** Progress of a text. */
export type WritingStep =
  | { readonly kind: 'noting'; readonly done: number; readonly of: number; readonly title: string }
  | { readonly kind: 'merging' }
  | { readonly kind: 'writing'; readonly words: number };

/** Storage of notes. */
export interface StoredNotes {
  readonly find: (key: string) => Promise<PartNotes | undefined>;
  readonly keep: (part: Pick<PlannedPart, 'documents' | 'key' | 'places'>, notes: PartNotes) => Promise<void>;
}

interface WritingInput {
  readonly template: Template;
  readonly plan: Pick<WritingPlan, 'earlier' | 'parts'>;
  /** Previous text; '' for a new one. */
  readonly before: string;
  /** `true` if the template had other instructions for the previous text. */
  readonly isReworded: boolean;
  readonly model: LanguageModel;
  readonly finder: Pick<PassageFinder, 'at' | 'cite'>;
  readonly storedNotes: StoredNotes;
  readonly signal: AbortSignal;
  readonly onStep: (step: WritingStep) => void;
}

/** Notes with their storage key. */
interface Noted {
  readonly key: string;
  readonly documents: readonly DocumentVersion[];
  readonly notes: CitedText;
  /** Estimated number of tokens, with the citation marks. */
  readonly tokens: number;
}

/** Maximum rounds of merging notes. Each one at least halves them. */
const MAX_ROUNDS = 8;
/** Maximum number of cited passages in a text, because citation marks have three digits. */
const MAX_PASSAGES = 400;
/** Length of the context on either side of cited text for the checker, in UTF-16 code units. */
const AROUND = 300;
/** Estimated tokens per word. */
const TOKENS_OF_WORD = 1.5;
/** Maximum number of attempts, because some models occasionally reply with nothing. */
const MAX_ATTEMPTS = 2;

/**
 * Asks a model to write a text from all planned parts. A single part is used directly. Otherwise, the model takes notes
 * of each part first, which are saved immediately and not requested again. Rules check each statement.
 * @throws NotebookError of the model, `unsupported` if no statement cites a source
 */
export async function writeFromTemplate(input: WritingInput): Promise<CitedText> {
  const { template, plan, model, finder, signal } = input;
  const [only, ...others] = plan.parts;
  const whole = only !== undefined && others.length === 0 ? await promptOfAll(only, input) : undefined;
  if (whole !== undefined) {
    const reply = await askTwice(input, whole.messages, (words) => input.onStep({ kind: 'writing', words }));
    return entriesFor(
      template,
      requireCited(await checkText(reply, whole.passages, finder, signal), model.name),
      model.name,
    );
  }
  const { room, before, earlier } = roomFor(input);
  const noted = await mergedToFit(await noteParts(input), room, input);
  const { marked, passages } = await markCitations(joinTexts(noted.map(({ notes }) => notes)), finder);
  if (passages.length === 0) throw nothingCited(model.name);
  const messages = writeMessages(input.template, {
    ...{ notes: withinTokens(marked, room), before, earlier },
    isReworded: input.isReworded,
  });
  const reply = await askTwice(input, messages, (words) => input.onStep({ kind: 'writing', words }));
  return entriesFor(
    template,
    requireCited(await checkText(reply, passages, finder, signal), model.name),
    model.name,
  );
}

/**
 * Returns the text, for a template of entries without statements that cite nothing, or that a check found unsupported or
 * contradicted. @throws NotebookError `unsupported` if none is left
 */
export function entriesFor({ onlySupported }: Template, text: CitedText, model: string): CitedText {
  if (onlySupported !== true) return text;
  const entries = withoutStatements(
    text,
    ({ verdict, citations }) =>
      verdict === 'not-found' || verdict === 'contradicted' || citations.length === 0,
  );
  if (entries.statements.length === 0) throw nothingCited(model);
  return entries;
}

/** Returns the maximum tokens of notes, and the previous text if there is room for it as well. */
function roomFor({ plan, before, model }: WritingInput): {
  readonly room: number;
  readonly before: string;
  readonly earlier: string;
} {
  const maxTokens = tokensOfNotes(model.windowTokens);
  const shortened = estimateTokens(before) <= maxTokens / 2 ? before : '';
  const earlier = withinTokens(plan.earlier, shortened === '' ? maxTokens / 3 : maxTokens / 6);
  return {
    room: maxTokens - estimateTokens(shortened) - estimateTokens(earlier),
    before: shortened,
    earlier,
  };
}

/** Builds the request for a text of a single part; undefined if it exceeds the model's limit. */
async function promptOfAll(part: PlannedPart, input: WritingInput): Promise<Prompt | undefined> {
  const { template, model, finder, signal } = input;
  const passages = await finder.at(part.places);
  const { before, earlier } = roomFor(input);
  const question = writingTask({ before, earlier, isReworded: input.isReworded });
  const prompt = await measuredPrompt(
    model,
    { question, history: [], passages, instructions: writingInstructions(template) },
    signal,
  );
  return readsAll(prompt, passages) && !prompt.isCut ? prompt : undefined;
}

function readsAll(prompt: Prompt, passages: readonly FoundPassage[]): boolean {
  return (
    prompt.passages.length === passages.length &&
    prompt.passages.every(({ text }, index) => text === passages[index]?.text)
  );
}

/** Returns the notes of each part in order: saved ones, or new ones from the model, which are then saved. */
async function noteParts(input: WritingInput): Promise<Noted[]> {
  const { plan, storedNotes, signal, onStep } = input;
  let done = 0;
  return await askAll(plan.parts, async (part) => {
    throwIfCanceled(signal);
    const reportStep = (): void => {
      onStep({ kind: 'noting', done, of: plan.parts.length, title: part.title });
    };
    reportStep();
    const { key, documents, places } = part;
    let notes = await storedNotes.find(key);
    if (notes === undefined) {
      notes = await takeNotes(places, input);
      // Don't save notes without citations, because another model may do better.
      if (notes.statements.some(restsOnSource)) await storedNotes.keep(part, notes);
    }
    done++;
    reportStep();
    return { key, documents, notes, tokens: tokensIn(notes) };
  });
}

/** Takes notes of passages. If they exceed the model's limit, takes notes of each half instead. */
async function takeNotes(places: readonly PassagePlace[], input: WritingInput): Promise<CitedText> {
  const { template, model, finder, signal } = input;
  const passages = await finder.at(places);
  if (passages.length === 0) return { text: '', statements: [], citations: [] };
  const prompt = await measuredPrompt(
    model,
    { question: NOTES_TASK, history: [], passages, instructions: notesInstructions(template) },
    signal,
  );
  if (!readsAll(prompt, passages) && places.length > 1) {
    const half = Math.ceil(places.length / 2);
    return joinTexts([
      await takeNotes(places.slice(0, half), input),
      await takeNotes(places.slice(half), input),
    ]);
  }
  const reply = await askTwice(input, prompt.messages);
  return cleanNotes(await checkText(reply, prompt.passages, finder, signal));
}

/** Notes without numbers that conflict with the source. */
function cleanNotes(notes: CitedText): CitedText {
  return withoutStatements(notes, isRefuted);
}

/** Merges neighboring notes until all of them together fit. */
async function mergedToFit(
  noted: readonly Noted[],
  room: number,
  input: WritingInput,
): Promise<readonly Noted[]> {
  const { storedNotes, finder, signal, onStep } = input;
  let mergedNotes = noted;
  for (let round = 0; round < MAX_ROUNDS && sumTokens(mergedNotes) > room; round++) {
    onStep({ kind: 'merging' });
    mergedNotes = await askAll(groupsWithin(mergedNotes, room), async (group) => {
      throwIfCanceled(signal);
      const words = Math.floor((sumTokens(group) / 2 / TOKENS_OF_WORD / 10) * 10);
      const key = createHash('sha256')
        .update(JSON.stringify([words, group.map((item) => item.key)]))
        .digest('hex');
      const documents = [
        ...new Map(
          group.flatMap((item) => item.documents.map((each) => [each.documentId, each] as const)),
        ).values(),
      ];
      let notes = await storedNotes.find(key);
      if (notes === undefined) {
        const { marked, passages } = await markCitations(joinTexts(group.map((item) => item.notes)), finder);
        const reply = await askTwice(input, mergeMessages(withinTokens(marked, room), words));
        notes = cleanNotes(
          await checkText(
            withinTokens(reply, Math.max(MAX_NOTE_TOKENS, sumTokens(group) / 2)),
            passages,
            finder,
            signal,
          ),
        );
        await storedNotes.keep({ key, documents, places: [] }, notes);
      }
      return { key, documents, notes, tokens: tokensIn(notes) };
    });
  }
  return mergedNotes;
}

function sumTokens(noted: readonly Noted[]): number {
  return noted.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Tokens of a citation mark after a sentence. */
const TOKENS_OF_MARK = 4;

function tokensIn({ text, statements }: CitedText): number {
  return estimateTokens(text) + TOKENS_OF_MARK * statements.length;
}

/** Groups neighbors up to a number of tokens. */
function groupsWithin(noted: readonly Noted[], tokens: number): Noted[][] {
  const groups: Noted[][] = [];
  for (const item of noted) {
    const open = groups.at(-1);
    if (open !== undefined && sumTokens([...open, item]) <= tokens) open.push(item);
    else groups.push([item]);
  }
  return groups;
}

/**
 * Returns notes with a citation mark after each sentence for each of its passages, and the context of the cited text.
 */
async function markCitations(
  { text, statements, citations }: CitedText,
  finder: Pick<PassageFinder, 'at'>,
): Promise<{ readonly marked: string; readonly passages: readonly FoundPassage[] }> {
  const spans = new Map<string, { documentId: number; start: number; end: number }>();
  const citationKey = ({ documentId, passage }: CitedText['citations'][number]): string =>
    [documentId, passage.start, passage.end].join(' ');
  for (const citation of citations) {
    const { documentId, passage, span } = citation;
    const known = spans.get(citationKey(citation));
    if (known === undefined && spans.size >= MAX_PASSAGES) continue;
    const start = Math.max(passage.start, span.start - AROUND);
    const end = Math.min(passage.end, span.end + AROUND);
    spans.set(citationKey(citation), {
      documentId,
      start: Math.min(start, known?.start ?? start),
      end: Math.max(end, known?.end ?? end),
    });
  }
  const keyedPassages = await Promise.all(
    Array.from(spans, async ([key, { documentId, start, end }]) => {
      const [passage] = await finder.at([{ documentId, span: { start, end } }]);
      return { key, passage };
    }),
  );
  const numbers = new Map<string, string>();
  const passages: FoundPassage[] = [];
  for (const { key, passage } of keyedPassages)
    if (passage !== undefined) numbers.set(key, `[${String(passages.push(passage))}]`);
  const marked = withMarks({ text, statements }, (indexes) => {
    const own = indexes.flatMap((index) => {
      const citation = citations[index];
      return (citation && numbers.get(citationKey(citation))) ?? [];
    });
    return own.length === 0 ? '' : ` ${[...new Set(own)].join('')}`;
  });
  return { marked, passages };
}

/** Returns a text that cites a source, or claims nothing. @throws NotebookError `unsupported` */
function requireCited(text: CitedText, model: string): CitedText {
  const { claims } = countClaims(text.statements);
  if (claims > 0 && !text.statements.some(restsOnSource)) throw nothingCited(model);
  return text;
}

function nothingCited(model: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t('{0} cited none of the sources, so no note was created. Try another model.', model),
    { action: 'pickModel' },
  );
}

/**
 * Returns a complete reply without the model's reasoning. Repeats the request once after an empty reply.
 * @throws NotebookError
 */
async function askTwice(
  { model, signal }: WritingInput,
  messages: readonly ChatMessage[],
  onWords?: (words: number) => void,
): Promise<string> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    throwIfCanceled(signal);
    let text = '';
    let reportedLength = 0;
    const restart = (): void => {
      text = '';
      reportedLength = 0;
    };
    try {
      for await (const piece of withoutThinking(model.stream(messages, { signal }), restart)) {
        throwIfCanceled(signal);
        text += piece;
        if (text.length - reportedLength < 200) continue;
        reportedLength = text.length;
        onWords?.(text.split(/\s+/).length);
      }
    } catch (error) {
      const isLast = attempts === MAX_ATTEMPTS - 1;
      if (isLast || !(error instanceof NotebookError) || error.code !== 'empty') throw error;
    }
    if (text.trim() !== '') return text;
  }
  throw new NotebookError(
    'stream-cut',
    t('{0} sent an empty answer. Try again, or pick another model.', model.name),
    { action: 'tryAgain' },
  );
}

/** Returns the first lines of a text up to a number of tokens. */
function withinTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let shortened = '';
  let remainingTokens = tokens;
  for (const line of text.split('\n')) {
    remainingTokens -= estimateTokens(line) + 1;
    if (remainingTokens < 0) break;
    shortened += `${line}\n`;
  }
  return shortened.trimEnd();
}
