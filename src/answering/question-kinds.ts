import { termsOf } from './terms.ts';

/** What is asked for, as far as a question's form tells. */
export type QuestionKind =
  'amount' | 'comparison' | 'definition' | 'list' | 'other' | 'person' | 'reason' | 'time' | 'value' | 'way';

const OF_A_THING =
  'default|number|size|version|share|percentage|price|cost|limit|maximum|minimum|port|name|address|path|file|command|value|type|exit|capital|colou?r|date|year|difference|reason|purpose|author|length|status|syntax|format|order|result';
/** In the order in which they are tried: "how many", before "how". */
const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'list',
    /\bwhat(?:['’]s|\s+(?:is|was|has|got))?\s+(?:new|changed|added|fixed|removed|improved)\b.*\b(?:in|with|since)\b/i,
  ],
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
    'person',
    /^\s*(?:so\s+|and\s+)?(?:by\s+)?(?:who|whom|whose)\b(?!(?:['’]s|\s+(?:is|are|was|were))\s+\p{Lu})/iu,
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

/** The same of other languages that ask with words of their own. */
const KINDS_ELSEWHERE: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'reason',
    /(?<!\p{L})(?:warum|wieso|weshalb|pourquoi|por qué|perché|waarom|varför|hvorfor|neden|почему)(?!\p{L})|为什么|為什麼|なぜ|왜|لماذا/iu,
  ],
  ['time', /^(?:wann|quand|cuándo|quando|wanneer|när|når|когда)(?!\p{L})|什么时候|何时|いつ|언제|متى/iu],
  [
    'amount',
    /(?<!\p{L})(?:wie\s?(?:viele?|hoch|lange?|groß|oft|teuer|weit|alt|schwer|schnell)|was kostet|combien|cuánt[oa]s?|quant[oaie]s?|hoeveel|hur många|hvor mange|kaç|сколько)(?!\p{L})|多少|几|幾|多久|多长|多大|いくつ|いくら|何[度個人年]|몇|얼마|(?:^|\s)كم(?=\s)/iu,
  ],
  ['person', /^(?:wer|wem|wen|qui|quién|chi|wie is|vem|hvem|кто)(?![\p{L}-])|谁|誰|だれ|누구|누가/iu],
  [
    'way',
    /^(?:wie|comment|cómo|come|como|hoe|hur|hvordan|как)(?!\p{L})|怎么|怎样|如何|どうやって|어떻게|(?:^|\s)كيف(?=\s)/iu,
  ],
];

/** What kind of answer a question asks for. */
export function kindOf(question: string): QuestionKind {
  return [...KINDS, ...KINDS_ELSEWHERE].find(([, pattern]) => pattern.test(question.trim()))?.[0] ?? 'other';
}
