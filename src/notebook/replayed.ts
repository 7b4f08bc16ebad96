import { t } from '@vscode/l10n';
import type { BoardStep } from './research.ts';

/**
 * What came of a step when it was done again from its record, without a model: the same, or something else, both told as
 * texts to be compared. `check`: what was handed in is checked otherwise by now; `product`: another product came of it, or
 * none; `request`: the model would be asked something else. `unable`: the record does not tell enough; `reason` says why.
 */
export type Replayed =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'differs';
      readonly what: 'check' | 'product' | 'request';
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: 'unable'; readonly reason: string };

/** What came of a replay, in one sentence. */
export function replayedInWords(replayed: Replayed): string {
  if (replayed.kind === 'same') return t('Replayed without a model. The result is the same.');
  if (replayed.kind === 'unable') return replayed.reason;
  switch (replayed.what) {
    case 'check':
      return t('Replayed without a model. The submitted result now gets different verdicts.');
    case 'product':
      return t('Replayed without a model. The result is different.');
    case 'request':
      return t(
        'The step would now send the model a different request, so it can’t be replayed without a model.',
      );
  }
}

/** Whether it is recorded here how a step came to its end: a model did it itself, in a window of this machine. */
export function isRecorded({ state, holder, sameAs }: BoardStep): boolean {
  const isOver = state === 'done' || state === 'failed';
  return isOver && holder?.kind === 'model' && holder.window !== '' && sameAs === undefined;
}
