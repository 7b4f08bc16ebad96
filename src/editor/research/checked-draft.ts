import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import type { CheckedDraft } from '../../messages/research.ts';
import { throwIfCancelled } from '../../notebook/errors.ts';
import { readDraft, withoutPassage } from '../../notebook/research-draft.ts';
import { checkText } from '../../answering/writing/check-text.ts';
import { countClaims } from '../../answering/writing/cited-text.ts';

/**
 * Checks what the user wrote for a step, as models' products are checked: each sentence against the passages that the
 * draft cites and that are still there. Nothing is taken out of it. @throws NotebookError `cancelled`
 */
export async function checkDraft(
  written: string,
  finder: PassageFinder,
  signal: AbortSignal,
): Promise<CheckedDraft> {
  let draft = readDraft(written);
  const places = draft.picked.map(({ documentId, span }) => ({ documentId, span }));
  const passages = await Promise.all(places.map(async (place) => (await finder.at([place]))[0]));
  throwIfCancelled(signal);
  for (let index = passages.length - 1; index >= 0; index--)
    if (passages[index] === undefined) draft = { ...draft, ...withoutPassage(draft, index) };
  const there = passages.filter((passage) => passage !== undefined);
  const checked = await checkText(draft.text, there, finder, signal);
  return { ...checked, check: { ...countClaims(checked.statements), cut: [] } };
}
