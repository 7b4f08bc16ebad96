import * as v from 'valibot';
import { anyList, fields } from '../../../core/domain/json-schemas.ts';
import { firstParagraph } from '../../../core/domain/note-markdown.ts';
import { readingStatements, type SearchedRows } from '../../../index/store/searched-rows.ts';

const shownAnswer = fields({ text: v.string(), citations: anyList });
const shownCitation = fields({ quote: v.string() });

/** Questions, with their answers and the titles of their conversations, in the search across notebooks. */
export const searchedTurns: SearchedRows = {
  ...readingStatements(
    'turns',
    'turns n JOIN conversations c ON c.id = n.conversation_id',
    `n.asked_at || ' ' || octet_length(n.question) || ' ' || coalesce(octet_length(n.answer), 0) || ' ' || coalesce(c.title, '')`,
    'n.asked_at, n.question, n.conversation_id, c.title, n.answer',
  ),
  hitsOf: ([, , at, question, conversationId, conversation]) => [
    {
      kind: 'answer',
      id: String(conversationId),
      title: firstParagraph(String(question)).slice(0, 300),
      place: typeof conversation === 'string' ? conversation : undefined,
      at: Number(at),
    },
  ],
  readText: ([, , , , , title, answer]) =>
    (typeof title === 'string' ? `${title}\n` : '') + wordsOfAnswer(answer),
};

/** Returns the text and the quotes of an answer. */
function wordsOfAnswer(json: unknown): string {
  if (typeof json !== 'string') return '';
  try {
    const { text: words = '', citations = [] } = v.parse(shownAnswer, JSON.parse(json));
    return [words, ...citations.map((citation) => v.parse(shownCitation, citation).quote ?? '')].join(' ');
  } catch {
    // The other answers may be readable.
    return '';
  }
}
