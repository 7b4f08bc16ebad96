import { termsOf } from './terms.ts';

const DEFINITION =
  /^\s*(?:so\s+|and\s+)?(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\b|\bdefin(?:e|ition)\b|\bmeaning of\b|\bwhat does .+ (?:mean|stand for)\b/i;
const AMOUNT =
  /\bhow (?:many|much|long|often|large|big|small|fast|slow|old|far|deep|high)\b|\bwhat (?:number|size|version|share|percentage|price|default)\b|\bwhich (?:number|version|port|size)\b/i;
const TIME = /\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b/i;
const REASON = /\bwhy\b|\breasons?\b/i;
const WAY =
  /\bhow (?:do|does|to|can|could|should|would)\b|\b(?:show|give) me (?:an? )?(?:example|code)|\bexamples? (?:of|for)\b/i;

const IS = /\b(?:is|are|was|were|means?|refers? to|stands? for|denotes|describes?|called|defined as)\b|[:—–]/;
const A_NUMBER = /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|half|dozen)\b/i;
const A_TIME =
  /\b(?:1[0-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|after|before|until|once|whenever|when|every)\b|\d{1,2}:\d\d/;
const A_REASON = /\b(?:because|since|so that|therefore|due to|owing to|reason|in order to|otherwise)\b/i;
const A_STEP =
  /^(?:[-*+•]|\d{1,3}[.)]|`{3}|~{3})|\b(?:use|run|set|add|call|open|choose|select|click|press|install|create|pass|to)\b/i;

/** Whether a question asks what something is. */
export function isDefinitionAsked(question: string): boolean {
  return DEFINITION.test(question) && !WAY.test(question);
}

/** Whether a question asks how something is done. */
export function isWayAsked(question: string): boolean {
  return WAY.test(question);
}

/** How much more a text tells that has the form of an answer to the question; 1 where its form says nothing. */
export function ruleFor(question: string): (text: string) => number {
  if (isDefinitionAsked(question)) {
    const subject = termsOf(question);
    return (text) => (defines(text, subject) ? 1.5 : 1);
  }
  if (AMOUNT.test(question)) return (text) => (A_NUMBER.test(text) ? 1.4 : 1);
  if (TIME.test(question)) return (text) => (A_TIME.test(text) ? 1.4 : 1);
  if (REASON.test(question)) return (text) => (A_REASON.test(text) ? 1.3 : 1);
  if (WAY.test(question)) return (text) => (A_STEP.test(text) ? 1.1 : 1);
  return () => 1;
}

/** Whether a text begins with what is asked for and goes on to say what it is. */
function defines(text: string, subject: readonly string[]): boolean {
  const verb = IS.exec(text);
  if (verb === null || subject.length === 0) return false;
  const before = termsOf(text.slice(0, verb.index));
  const [first] = before;
  return first !== undefined && subject.includes(first) && new Set(before).size <= subject.length + 2;
}
