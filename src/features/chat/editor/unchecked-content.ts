import * as vscode from 'vscode';
import { estimateStatementChecks } from '../../../answers/checking/check-estimate.ts';
import { dollars, estimateCost } from '../../../core/domain/usage.ts';
import { showInformation } from '../../../platform/dialogs.ts';
import { roundTokens } from '../../../platform/shown-number.ts';
import type { AnswerModels } from './answer-model.ts';

/** Generated content without a fact check. */
interface UncheckedContent {
  /** Sentence for the user. */
  readonly message: string;
  /** Number of statements that a model would check. */
  readonly statements: number;
  /** Checks the content after the user's consent; undefined if only later content is checked. */
  readonly check?: () => Promise<void>;
}

/**
 * Says that generated content isn't fact-checked. If only the user's consent is missing, offers to give it, with the
 * estimated tokens and cost, and then runs `check`.
 */
export async function warnUnchecked(
  { message, statements, check }: UncheckedContent,
  answerModels: Pick<AnswerModels, 'checkRequest' | 'decideCheck'>,
): Promise<void> {
  const request = await answerModels.checkRequest();
  if (request === undefined) {
    void showInformation(message);
    return;
  }
  const { model, server, prices } = request;
  const estimate = estimateStatementChecks(statements);
  const tokens = roundTokens(estimate.input + estimate.output);
  const [agree, decline] = [vscode.l10n.t('Fact-Check'), vscode.l10n.t('Don’t Fact-Check')];
  const sentences = [
    message,
    vscode.l10n.t('Fact-check with {0}? {1} may charge for this.', model, server),
    check === undefined
      ? vscode.l10n.t('Checking as many answers uses about {0} tokens.', tokens)
      : vscode.l10n.t('This uses about {0} tokens.', tokens),
    ...(prices === undefined
      ? []
      : [
          vscode.l10n.t(
            'The cost is about {0}.',
            dollars(estimateCost(estimate, prices), vscode.env.language),
          ),
        ]),
  ];
  const chosen = await showInformation(sentences.join(' '), [agree, decline]);
  if (chosen === undefined) return;
  await answerModels.decideCheck(request, chosen === agree);
  if (chosen === agree) await check?.();
}
