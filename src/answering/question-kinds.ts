import { termsOf } from './terms.ts';

/** What is asked for, as far as a question's form tells. */
export type QuestionKind =
  'amount' | 'comparison' | 'definition' | 'list' | 'other' | 'reason' | 'time' | 'value' | 'way';

const OF_A_THING =
  'default|number|size|version|share|percentage|price|cost|limit|maximum|minimum|port|name|address|path|file|command|value|type|exit|capital|colou?r|date|year|difference|reason|purpose|author|length|status|syntax|format|order|result';
/** In the order in which they are tried: "how many", before "how". */
const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'comparison',
    /\bdifferen(?:ce|t)s?\b|\bdiffers?\b|\bcompare[ds]?\b|\bversus\b|\bvs\b|^[^,]{2,40}\s+or\s+[^,]{2,40}\?*$/i,
  ],
  [
    'list',
    /\blist\b|\bname all\b|\benumerate\b|\b(?:what|which)\s+(?:\p{L}+\s+){0,3}?(?:kinds?|types?|sorts?|phases|stages|steps)\b|\bwhat\s+(?:are|were)\s+(?:the\s+|all\s+|its\s+|their\s+)?(?:\p{L}+\s+){0,3}?\p{L}{2,}s\b(?=.*\b(?:of|in|for|does|do|has|have|available|supported|there)\b|\s*\?*$)|\b(?:what|which)\s+(?:\p{L}+\s+){0,2}?\p{L}{2,}s\s+(?:are|were|does|do|did|can|has|have|exist|is)\b/iu,
  ],
  ['amount', /\bhow (?:many|much|long|often|large|big|small|fast|slow|old|far|deep|high)\b/i],
  [
    'value',
    new RegExp(
      `\\b(?:what|which)(?:['’]s|\\s+(?:is|are|was|were))?\\s+(?:the\\s+)?(?:\\p{L}+\\s+)?(?:${OF_A_THING})\\b|\\bdefault(?:s)? (?:of|to|value)\\b|\\bby default\\b|\\bwhich\\s+(?:[\\p{L}.]+\\s+)?(?:version|number|port)\\b|^\\s*(?:what|which)\\s+.*\\bdefault\\b`,
      'iu',
    ),
  ],
  ['time', /^\s*(?:so\s+|and\s+)?(?:since )?when\b|\b(?:what|which) (?:year|date|day|month|time)\b/i],
  ['reason', /\bwhy\b|\breasons?\b/i],
  [
    'way',
    /\bhow (?:do|does|to|can|could|should|would)\b|\b(?:show|give) me (?:an? )?(?:example|code)|\bexamples? (?:of|for)\b/i,
  ],
  [
    'definition',
    /^\s*(?:so\s+|and\s+)?(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\b|\bdefin(?:e|ition)\b|\bmeaning of\b|\bwhat does .+ (?:mean|stand for)\b/i,
  ],
];

/** Terms that tell what kind of answer is wanted rather than of what. */
export const FORM_TERMS: ReadonlySet<string> = new Set(
  'difference differ different compare comparison versus vs kind sort type define definition purpose work exist available support list default value number name'
    .split(' ')
    .flatMap(termsOf),
);

/** What kind of answer a question asks for. */
export function kindOf(question: string): QuestionKind {
  return KINDS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}

const IS_A =
  /\b(?:is|are|was|were)\s+(?:(?:simply|basically|usually|typically|commonly)\s+)?(?:an?|the|one|any)\b/;
const DOES =
  /\b(?:means?|refers? to|stands? for|denotes|describes|represents|provides?|allows?|lets|enables|consists? of|(?:is|are) (?:defined|called|used))\b/;
const IS = /\b(?:is|are|was|were|called|defined as)\b|[:—–]/;
const A_NUMBER = /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|half|dozen)\b/i;
const MONEY = /[$€£¥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|cents?|USD|EUR|GBP)\b/i;
const DURATION =
  /\d[\d.,]*\s?(?:ms|s|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b|\b(?:hourly|daily|weekly|monthly|yearly|once|twice|every)\b/i;
const A_VALUE =
  /\d|`[^`\n]+`|["“][^"”\n]+["”]|\b(?:none|infinity|true|false|null|undefined|never|always|no limit|unlimited)\b/i;
const A_TIME =
  /\b(?:1[0-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|after|before|until|once|whenever|when|every)\b|\d{1,2}:\d\d/;
const A_REASON = /\b(?:because|since|so that|therefore|due to|owing to|reason|in order to|otherwise)\b/i;
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
    case 'way':
      return (text) => (A_STEP.test(text) ? 1.1 : 1);
    case 'comparison':
      return (text) => Math.max(A_CONTRAST.test(text) ? 1.3 : 1, 0.75 * definition(text, subject));
    case 'list':
    case 'other':
      return () => 1;
  }
}

/** What a question is about, without where: "a promise" of "a promise in JavaScript". */
function subjectOf(question: string): readonly string[] {
  const subject = termsOf(question.replace(/\s(?:in|within|at|on|with|for)\s.*$/i, ''));
  return subject.length > 0 ? subject : termsOf(question);
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

/** How well a text says what its own beginning is, where that is what is asked for. */
function definition(text: string, subject: readonly string[]): number {
  const said = text.replace(/^[\s>*_#-]+/, '').replace(/\]\([^)\s]*\)/g, '] ');
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
