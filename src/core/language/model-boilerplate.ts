import type { ModelTalkRules } from './packs/pack.ts';
import { ALL_LANGUAGES } from './words/languages.ts';
import { partsOfPacks } from './words/pack-words.ts';

const parts = (kind: Exclude<keyof ModelTalkRules, 'speaks'>): string =>
  partsOfPacks(({ modelTalk }) => modelTalk?.[kind]);

/** Agreement at the start of a reply: `Sure! Here you are`, `Natürlich,`, `好的，`. */
const AGREES = new RegExp(`^(?:${parts('agrees')})`, 'iu');

/** Introduction of the result with a colon: `Here is the table:`, `Voici le tableau :`, `以下是结果：`. */
const PRESENTS = new RegExp(
  String.raw`^(?:${parts('presents')})(?![\p{Script=Latin}\p{Script=Cyrillic}])[^\n]{0,200}[:：]$`,
  'iu',
);

const SPEAKS = ALL_LANGUAGES.flatMap(({ modelTalk }) => modelTalk?.speaks ?? []);

/** Short sentences that are for the reader alone: `Let me see.`, `Sorry, no.` */
const SHORT_TALK = /^(?:Let me|Please|Sorry|Sure|Hello|Hi|Thanks?)\b[^.]{0,40}[.!,:]?$/i;
/** Sentences that only agree, unless they cite a source: `Of course.`, `Natürlich!` */
const AGREEMENT = new RegExp(`^(?:${parts('agreements')})[.!。！]?$`, 'iu');
/** Sentences that only point elsewhere, unless they cite a source: `See also.`, `Siehe oben.` */
const POINTER = new RegExp(`^(?:${parts('pointers')})[.!。！:]?$`, 'iu');
/** Patterns from words of packs, for tests. */
export const MODEL_TALK_PATTERNS: readonly RegExp[] = [AGREES, PRESENTS, AGREEMENT, POINTER];
/** Short sentences that are for the reader unless they cite a source: `We agree.` */
const SHORT_REPLY = /^(?:I|I['’]m|I['’]d|We)\b[^.]{0,40}[.!,:]?$/i;

/**
 * Beginnings of sentences to the reader or about the task, if they make no statement: `Of the sources we found two.`
 */
const LOOSE =
  /^(?:(?:i|we)(?:['’](?:ll|ve|m|d|re))?\s|let me\b|let['’]s\b|(?:i )?hope this\b|feel free\b|please (?:let|note that i)\b|based on (?:the|my) (?:search|tool|task|instructions?)\b|the (?:user|task|step) (?:asks|wants|asked|requires)\b|(?:here(?:['’]s| is| are)|below (?:is|are))\b[^.]{0,120}\.$)/i;

/** Transitions and closings without content. */
const TRANSITION =
  /^(?:(?:I )?hope (?:this|that)|feel free|let me know|if you (?:have|need|want|would like)\b.*\b(?:questions?|help|ask|know)|in (?:summary|short|conclusion)|to (?:summari[sz]e|sum up)|here(?:['’]s| is| are) (?:how|what|why|the|an?|some|more|my)\b(?!.*\d)|(?:below|the following) (?:is|are)|as (?:follows|below))\b/i;

/** Labels that some models write above a result. */
const LABEL = /^(?:final answer|product|done)\s{0,20}:?$/i;

/** Maximum length of an introductory line, in UTF-16 code units. A longer one has content. */
const MAX_LEAD_LENGTH = 200;

/** Reports whether a sentence is about the model or only for the reader, whatever else it says. */
export function isModelBoilerplate(sentence: string, isCited = false): boolean {
  const words = sentence.trim();
  if (!isCited && [SHORT_REPLY, AGREEMENT, POINTER].some((pattern) => pattern.test(words))) return true;
  return SHORT_TALK.test(words) || SPEAKS.some((pattern) => pattern.test(words));
}

/**
 * Reports whether a sentence is a transition or closing, such as `In summary, both work.` A long one counts only with
 * little content.
 */
export function isTransition(sentence: string): boolean {
  return TRANSITION.test(sentence.trim());
}

/**
 * Reports whether a sentence is about the model that wrote it, in the usual languages of answers: `I have searched the
 * notebook.`, `Als Sprachmodell kann ich das nicht.`, `当然，`. Use it only for sentences that make no statement about a
 * source, because `We measured 12 m.` in a paper begins alike.
 */
export function isSelfTalk(sentence: string): boolean {
  const words = sentence.trim();
  return [...SPEAKS, AGREES, PRESENTS, LOOSE].some((pattern) => pattern.test(words));
}

/** Returns a reply without a first line that only introduces the result, such as `Sure! Here is the table:`. */
export function withoutLead(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const words = line.trim();
  const isLead =
    LABEL.test(words) ||
    PRESENTS.test(words) ||
    (words.length <= MAX_LEAD_LENGTH && !words.includes('[') && AGREES.test(words));
  return isLead ? text.slice(line.length).trimStart() : text;
}
