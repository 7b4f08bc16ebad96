import { abbreviationsIn } from './abbreviations.ts';
import { kindOf } from './question-kinds.ts';
import { termsOf } from './terms.ts';

const IS_A =
  /\b(?:is|are|was|were)\s+(?:(?:simply|basically|usually|typically|commonly)\s+)?(?:an?|the|one|any)\b/;
const DOES =
  /\b(?:means?|refers? to|stands? for|denotes|defines?|describes|represents|provides?|allows?|lets|enables|helps?|holds?|keeps?|makes?|stops?|consists? of|(?:is|are) (?:defined|called|used))\b/;
const CALLED = /\b(?:called|named|known as|termed|so-called)\s+[`*_"“(]*(?:an?\s+|the\s+)?/i;
const IS = /\b(?:is|are|was|were|called|defined as)\b|[:—–|]/;
const A_NUMBER =
  /\d|[一二三四五六七八九十百千两兩](?=[\p{sc=Han}])|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|half|dozen)\b/iu;
const MONEY = /[$€£¥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|cents?|USD|EUR|GBP)\b/i;
const DURATION =
  /\d[\d.,]*\s?(?:ms|s|h|hrs?|mins?|secs?|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b|\b(?:hourly|daily|weekly|monthly|yearly|once|twice|every)\b/i;
const A_VALUE =
  /\d|`[^`\n]+`|["“][^"”\n]+["”]|\b(?:none|infinity|true|false|null|undefined|never|always|no limit|unlimited)\b/i;
const A_TIME =
  /\b(?:1[0-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|after|before|until|once|whenever|when|every)\b|\d{1,2}:\d\d/;
export const A_REASON =
  /\b(?:because|cause|since|so that|therefore|due to|owing to|reason|in order to|otherwise)\b/i;
/** Somebody by name. */
const A_PERSON =
  /\b\p{Lu}[\p{Ll}'’-]+\s+(?:\p{Lu}\.\s+)?(?:(?:de|van|von|der|da|di|la|al)\s+)*\p{Lu}[\p{Ll}'’-]+|\bby\s+\p{Lu}\p{Ll}+/u;
const A_STEP =
  /^(?:[-*+•]|\d{1,3}[.)]|`{3}|~{3})|\b(?:use|run|set|add|call|open|choose|select|click|press|install|create|pass|to)\b/i;
const A_CONTRAST =
  /\b(?:whereas|while|unlike|instead|rather|than|but|differs?|different (?:from|to)|difference|both|contrast|however|prefer|better|advantages?|compared)\b/i;

/** How much more a text tells that has the form of an answer to the question; 1 where its form says nothing. */
export function ruleFor(question: string): (text: string) => number {
  const kind = kindOf(question);
  const subject = subjectOf(question);
  switch (kind) {
    case 'definition':
      return (text) => definition(text, subject);
    case 'amount':
      return (text) => amount(text, question);
    case 'value':
      return (text) => (A_VALUE.test(text) ? 1.3 : 1);
    case 'time':
      return (text) => (A_TIME.test(text) ? 1.4 : 1);
    case 'reason':
      return (text) => (A_REASON.test(text) ? 1.3 : 1);
    case 'person':
      return (text) => (A_PERSON.test(text) ? 1.4 : 1);
    case 'way':
      return (text) => (A_STEP.test(text) ? 1.1 : 1);
    case 'comparison':
      return (text) => Math.max(A_CONTRAST.test(text) ? 1.3 : 1, 0.75 * definition(text, subject));
    case 'list':
    case 'other':
      return () => 1;
  }
}

/** What a question is about, without where: "What is a promise" of "What is a promise in JavaScript?". */
export function subjectOf(question: string): string[] {
  return termsOf(question.replace(/\s(?:in|within|at|on|with|for|using)\s.*$/i, ''));
}

/** How well a text gives an amount, of money or time where that is asked for. */
function amount(text: string, question: string): number {
  const wanted = /\bhow much\b.*\b(?:cost|costs|pay|price|charge|spend|worth|rent|salary)\b/i.test(question)
    ? MONEY
    : /\bhow (?:long|often|old)\b/i.test(question)
      ? DURATION
      : undefined;
  if (wanted?.test(text) === true) return 1.8;
  return A_NUMBER.test(text) ? 1.4 : 1;
}

/** Whether a text gives something the name that is asked about: "a pointer called `HEAD`", "… Control (RCAC)". */
function names(text: string, subject: readonly string[]): boolean {
  const [only] = subject;
  if (only === undefined) return false;
  const called = CALLED.exec(text);
  if (called !== null) {
    const name = termsOf(text.slice(called.index + called[0].length)).slice(0, subject.length);
    if (subject.every((term) => name.includes(term))) return true;
  }
  return subject.length === 1 && abbreviationsIn(text).some(({ short }) => short === only);
}

/** How well a text says what its own beginning is, where that is what is asked for. */
function definition(text: string, subject: readonly string[]): number {
  if (names(text, subject)) return 1.7;
  const said = text.replace(/^[\s>|*_#-]+/, '').replace(/\]\([^)\s]*\)/g, '] ');
  for (const [verb, worth] of [
    [IS_A, 2],
    [DOES, 1.7],
    [IS, 1.35],
  ] as const) {
    const found = verb.exec(said);
    if (found === null || subject.length === 0) continue;
    const before = termsOf(said.slice(0, found.index));
    const [first] = before;
    const share = subject.filter((term) => before.includes(term)).length / subject.length;
    // The name of another thing may begin with the same word: chalk-cli.
    const isOther = /^\W*[\p{L}\p{N}]+(?:[-/_.]|::)[\p{L}\p{N}]/u.test(said.slice(0, found.index));
    if (
      first !== undefined &&
      subject.includes(first) &&
      !isOther &&
      new Set(before).size <= subject.length + 2
    )
      return 1 + (worth - 1) * share;
  }
  return 1;
}
