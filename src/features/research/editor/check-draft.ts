import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import { checkedByModel, checkText } from '../../../answers/writing/check-text.ts';
import { countClaims } from '../../../answers/writing/cited-text.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { readDraft, withoutPassage } from '../model/draft.ts';
import type { CheckedDraft } from '../protocol.ts';
import { checkFailedNote } from '../service/work/verify.ts';

interface DraftCheck {
  readonly finder: PassageFinder;
  readonly signal: AbortSignal;
  readonly checker: LanguageModel | undefined;
}

/**
 * Checks the user's text for a step like a model's result: each statement against the passages that the draft cites and
 * that still exist. Removes nothing from it.
 * @throws NotebookError `cancelled`
 */
export async function checkDraft(
  written: string,
  { finder, signal, checker }: DraftCheck,
): Promise<CheckedDraft> {
  let draft = readDraft(written);
  const places = draft.picked.map(({ documentId, span }) => ({ documentId, span }));
  const passages = await Promise.all(places.map(async (place) => (await finder.at([place]))[0]));
  throwIfCanceled(signal);
  for (let index = passages.length - 1; index >= 0; index--)
    if (passages[index] === undefined) draft = { ...draft, ...withoutPassage(draft, index) };
  const foundPassages = passages.filter((passage) => passage !== undefined);
  const byRules = await checkText(draft.text, foundPassages, finder, signal);
  const { text: checked, problem } =
    checker === undefined || foundPassages.length === 0
      ? { text: byRules, problem: undefined }
      : await checkedByModel(byRules, { model: checker, finder, read: foundPassages, signal });
  return {
    ...checked,
    check: {
      ...countClaims(checked.statements),
      cut: [],
      ...(problem !== undefined && { notes: [checkFailedNote(problem)] }),
    },
  };
}
