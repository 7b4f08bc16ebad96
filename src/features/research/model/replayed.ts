import { t } from '@vscode/l10n';
import type { BoardStep } from './project.ts';

/**
 * Result of rerunning a step from its record, without a model: the same, or different, with both texts to compare.
 * `check`: the submitted result now gets a different check. `product`: the result is different, or there is none.
 * `request`: the model would get a different request. `unable`: the record isn't sufficient; `reason` says why.
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

/** Formats the result of a replay in one sentence. */
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

/** Reports whether this machine has a record of the step's end: a model ended it in a window of this machine. */
export function isRecorded({ state, holder, sameAs }: BoardStep): boolean {
  const isOver = state === 'done' || state === 'failed';
  return isOver && holder?.kind === 'model' && holder.window !== '' && sameAs === undefined;
}
