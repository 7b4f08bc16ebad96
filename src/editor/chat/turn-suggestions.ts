import type { Citation } from '../../notebook/answer.ts';
import { standingCitations } from '../../notebook/answer.ts';
import { followUpQuestions, suggestedQuestions } from '../../notebook/suggestions.ts';
import type { Conversation } from './conversation.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** What may be asked first, by what the sources are about. */
export async function firstSuggestions(notebook: NotebookClient): Promise<readonly string[]> {
  return suggestedQuestions(await notebook.call('outlines', {}));
}

/** What may be asked after a turn, by what surrounds the places that its answer cites. */
export async function followUps(
  notebook: NotebookClient,
  conversation: Conversation,
  turnId: string,
): Promise<readonly string[]> {
  const turns = await conversation.turns();
  const citations = await standingCitationsOf(conversation, turnId);
  const documentIds = [...new Set(citations.map(({ documentId }) => documentId))];
  return followUpQuestions(
    await notebook.call('outlines', { documentIds }),
    citations,
    turns.map(({ question }) => question),
  );
}

/** The citations of a turn's answer, without those that a check took back. */
export async function standingCitationsOf(
  conversation: Conversation,
  turnId: string,
): Promise<readonly Citation[]> {
  const turns = await conversation.turns();
  const answer = turns.find(({ id }) => id === turnId)?.answer;
  return answer === undefined
    ? []
    : standingCitations(answer).flatMap((index) => answer.citations[index] ?? []);
}
