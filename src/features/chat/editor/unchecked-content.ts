import * as vscode from 'vscode';
import { showInformation } from '../../../platform/dialogs.ts';
import type { AnswerModels } from './answer-model.ts';

/**
 * Says that generated content isn't fact-checked. If only the user's consent is missing, offers to give it, and then
 * runs `check`.
 */
export async function warnUnchecked(
  message: string,
  answerModels: Pick<AnswerModels, 'checkRequest' | 'decideCheck'>,
  check?: () => Promise<void>,
): Promise<void> {
  const request = await answerModels.checkRequest();
  if (request === undefined) {
    void showInformation(message);
    return;
  }
  const { model, server } = request;
  const [agree, decline] = [vscode.l10n.t('Fact-Check'), vscode.l10n.t('Don’t Fact-Check')];
  const chosen = await showInformation(
    `${message} ${vscode.l10n.t('Fact-check with {0}? {1} may charge for this.', model, server)}`,
    [agree, decline],
  );
  if (chosen === undefined) return;
  await answerModels.decideCheck(request, chosen === agree);
  if (chosen === agree) await check?.();
}
