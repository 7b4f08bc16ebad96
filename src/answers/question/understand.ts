import { searchableQuestion } from './long-question.ts';
import { isFollowUp } from '../../core/language/follow-ups.ts';
import { summaryRequestIn, type SummaryRequest } from '../../core/language/summary-requests.ts';
import { itemPointedAt } from './pointed-item.ts';
import { shownBefore, type PastTurn } from './past-turns.ts';

/** Interpretation of the user's text. */
interface Understood {
  /** Set if the text requests a summary. */
  readonly summary: SummaryRequest | undefined;
  /** Text to search for: the question's own words, and on further lines those of the conversation that it refers to. */
  readonly query: string;
}

/** Interprets the user's text within a conversation, oldest turn first. */
export function understand(typed: string, history: readonly PastTurn[]): Understood {
  const summary = summaryRequestIn(typed, history.length > 0);
  const subject = summary === undefined || summary.subject === '' ? typed : summary.subject;
  const question = searchableQuestion(subject);
  const searchable = history.map((turn) => ({ ...turn, question: searchableQuestion(turn.question) }));
  const carried = carriedWords(question, searchable);
  return { summary, query: carried === '' ? question : `${question}\n${carried}` };
}

/** "How do I undo it?", "And for a branch?", "And there?": a fourth question would refer to another topic. */
const MAX_EARLIER_TURNS = 3;

/**
 * Returns the text that a question refers to: the item of the previous answer, then earlier questions; '' if the
 * question is independent.
 */
export function carriedWords(question: string, history: readonly PastTurn[]): string {
  const carried: string[] = [];
  const last = history.at(-1);
  const item = last && itemPointedAt(question, shownBefore(last));
  if (item !== undefined) carried.push(item);
  let leaning = question;
  for (const turn of history.slice(-MAX_EARLIER_TURNS).toReversed()) {
    if (!isFollowUp(leaning)) break;
    carried.push(turn.question);
    leaning = turn.question;
  }
  return carried.join('\n');
}
