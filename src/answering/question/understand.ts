import { searchableQuestion } from './long-question.ts';
import { isFollowUp } from '../../language/follow-ups.ts';
import { summaryRequestIn, type SummaryRequest } from '../../language/summary-requests.ts';
import { itemPointedAt } from './pointed-item.ts';
import { shownBefore, type PastTurn } from './past-turns.ts';

/** What was typed, as it is answered. */
interface Understood {
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

/** "How do I undo it?", "And for a branch?", "And there?": with the fourth before it, all would be of something else. */
const MOST_TURNS_BACK = 3;

/** What a question leans on: what it points at of the answer before, then the questions; '' where it stands alone. */
export function carriedWords(question: string, history: readonly PastTurn[]): string {
  const carried: string[] = [];
  const last = history.at(-1);
  const item = last && itemPointedAt(question, shownBefore(last));
  if (item !== undefined) carried.push(item);
  let leaning = question;
  for (const turn of history.slice(-MOST_TURNS_BACK).toReversed()) {
    if (!isFollowUp(leaning)) break;
    carried.push(turn.question);
    leaning = turn.question;
  }
  return carried.join('\n');
}
