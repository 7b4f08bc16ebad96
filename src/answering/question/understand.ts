import { carriedWords } from './follow-up.ts';
import { searchableQuestion } from './long-question.ts';
import type { PastTurn } from './past-turns.ts';
import type { SummaryRequest } from './summary-request.ts';
import { summaryRequestIn } from './summary-request.ts';

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
