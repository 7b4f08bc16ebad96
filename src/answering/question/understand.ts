import { searchableQuestion } from './long-question.ts';
import { summaryRequestIn, type SummaryRequest } from './summary-request.ts';
import { itemPointedAt, pointsAtItem } from './pointed-item.ts';
import { shownBefore, type PastTurn } from './past-turns.ts';
import { ASPECT_WORDS } from '../../language/words/word-lists.ts';
import { termsIn } from '../../language/words/words.ts';

/** What was typed, as it is answered. */
export interface Understood {
  /** Where a summary is asked for, and there is something by that name to sum up. */
  readonly summary: SummaryRequest | undefined;
  /** What is searched for: the question's own words, and in further lines those of the conversation that it leans on. */
  readonly query: string;
}

/** Understands what was typed within a conversation, oldest turn first. */
export function understand(typed: string, history: readonly PastTurn[]): Understood {
  const summary = summaryRequestIn(typed, history.length > 0);
  const subject = summary === undefined || summary.subject === '' ? typed : summary.subject;
  const question = searchableQuestion(subject);
  const searchable = history.map((turn) => ({ ...turn, question: searchableQuestion(turn.question) }));
  const carried = carriedWords(question, searchable);
  return { summary, query: carried === '' ? question : `${question}\n${carried}` };
}

/** Words that stand for something named before. */
const STANDS_FOR =
  /\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|these|those|former|latter|above)\b/i;
const THIS =
  /\b(?:do|does|did|is|was|are|about|like|than|of|for|with|without|after|before|why|how|change|use|call)\s+(?:this|that)(?:\s*[,;]|\s+(?:an?|the|also|always|still|true|so|work|happen|mean|do|help|cost|take|need|require|apply|affect|change|matter|different|possible|safe|better|worse|needed|necessary|too)\b)|\b(?:this|that)(?:\s*[?.!]*$|\s+(?:in|on|with|for|from|at|by|without)\b)/i;
const SAME_ONE =
  /\b(?:this|that|which|other|another|same|next)\s+(?:ones?|way|case)\b(?!\s+of\s+the\b)|\bthe\s+(?:same|others?|rest|opposite)(?:\s*[?.!,;]|\s*$|\s+(?:for|hold|holds|apply|applies|go|goes|true|happen|work)\b)/i;
/** Words that go on from what was said. */
const GOES_ON =
  /^\s*(?:and|but|so|also|or|then|since|what about|how about|what else|why not|tell me more|more|go on|continue|which ones?|how so|how come|for example)\b/i;
/** "It" that stands for nothing: "is it possible to", "how long does it take to", "if it rains". */
const EXPLETIVE =
  /\b(?:is|was|would|will|does|can)\s+it\s+(?:\w+\s+)?(?:possible|impossible|necessary|safe|better|best|worth|okay|ok|true|important|easy|hard|allowed|take|cost|matter|make sense|rain|snow)\b(?=\s+\w)|\bit\s+(?:rains|snows)\b/gi;
/** What a later word may stand for: a thing with its article, several things, what a verb asks of, a name, code. */
const NAMES =
  /\b(?:an?|the|my|our|your|every|each|any|no|all|one|two|three)\s+(?!\w{1,40}(?:st|nd|rd|th)\b|(?:last|same|other|difference|default|reason|limit|name|size|code|best|meaning|way|use|point)\b)\p{L}+|\b(?!does\b|this\b|its\b|has\b|was\b|always\b)\p{Ll}{3,40}s\b|\b(?:does|do|did|can|could|is|are|was|were|will|would|should|must|has|have)\s+(?!it\b|they\b|he\b|she\b|you\b|one\b|we\b|all\b|the\b|this\b|that\b|these\b|those\b|there\b|its\b|their\b|both\b|not\b)\p{L}{3,}|(?<=\S\s)\p{Lu}[\p{L}\p{N}]+|[`_/.-]\w|\w[A-Z]/u;
const ASPECTS: ReadonlySet<string> = new Set(ASPECT_WORDS.flatMap((word) => termsIn(word)));

/** A question of at most so many terms goes on from the one before where it begins as such questions do. */
const FEW_TERMS = 3;
const MOST_TURNS_BACK = 3;

/** Whether a question can't be understood without what was said before it. */
export function leansBack(question: string): boolean {
  const terms = [...new Set(termsIn(question))];
  if (terms.every((term) => ASPECTS.has(term))) return true;
  const text = question.replaceAll(EXPLETIVE, ' ');
  if (THIS.test(text) || SAME_ONE.test(text) || pointsAtItem(text)) return true;
  if (terms.length <= FEW_TERMS && GOES_ON.test(text)) return true;
  const stands = STANDS_FOR.exec(text);
  if (stands === null) return false;
  const before = text.slice(0, stands.index).trimStart();
  return !NAMES.test(before.charAt(0).toLowerCase() + before.slice(1));
}

/** What a question leans on: what it points at of the answer before, then the questions; '' where it stands alone. */
export function carriedWords(question: string, history: readonly PastTurn[]): string {
  const carried: string[] = [];
  const last = history.at(-1);
  const item = last && itemPointedAt(question, shownBefore(last));
  if (item !== undefined) carried.push(item);
  let leaning = question;
  for (const turn of history.slice(-MOST_TURNS_BACK).toReversed()) {
    if (!leansBack(leaning)) break;
    carried.push(turn.question);
    leaning = turn.question;
  }
  return carried.join('\n');
}
