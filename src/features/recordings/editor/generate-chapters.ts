import * as vscode from 'vscode';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import { estimateChapters, proposeChapters } from '../service/propose-chapters.ts';
import { sumEstimates } from '../../../core/domain/estimates.ts';
import { NotebookError, unlessCanceled } from '../../../core/domain/errors.ts';
import { dollars, type Prices } from '../../../core/domain/usage.ts';
import { inform, isAgreed, withNotification } from '../../../platform/dialogs.ts';
import { number, roundTokens } from '../../../platform/shown-number.ts';
import { entryOf, nameOf, setChapters, type ChapterParts, type Recording } from './stored-chapters.ts';

interface GenerateChaptersParts extends ChapterParts {
  /** Returns the model that writes answers; none for excerpts only. @throws NotebookError */
  readonly answerModel: () => Promise<{
    readonly model: LanguageModel | undefined;
    readonly prices?: Prices | undefined;
  }>;
}

/**
 * Has a model propose the chapters of a recording after the user agreed, stores those that fit its transcript with the
 * source, and reads the recording again.
 * @throws NotebookError `model-missing`, `no-transcript`, and errors of the model
 */
export async function generateChapters(parts: GenerateChaptersParts, recording: Recording): Promise<void> {
  const { notebook, answerModel } = parts;
  const name = nameOf(recording);
  const entry = await entryOf(notebook, recording);
  const document = entry && (await notebook.call('document', { documentId: entry.id }));
  if (entry === undefined || document?.spoken === undefined)
    throw new NotebookError('no-transcript', vscode.l10n.t('{0} has no transcript.', name));
  const { text, spoken } = document;
  const { model, prices } = await answerModel();
  if (model === undefined)
    throw new NotebookError(
      'model-missing',
      vscode.l10n.t('Generating chapters requires a language model. Pick a model first.'),
      { action: 'pickModel' },
    );
  const estimate = estimateChapters({ text, spoken }, model);
  const { cost } = sumEstimates([{ estimate, prices }]);
  const usage = [number(estimate.requests), roundTokens(estimate.input + estimate.output)];
  const detail = [
    vscode.l10n.t('Open Notebook sends the transcript to {0}.', model.name),
    cost === undefined
      ? vscode.l10n.t('Requests: {0}. Estimated usage: {1} tokens.', ...usage)
      : vscode.l10n.t(
          'Requests: {0}. Estimated usage: {1} tokens, which cost about {2}.',
          ...[...usage, dollars(cost, vscode.env.language)],
        ),
  ].join('\n');
  const title = vscode.l10n.t('Generate chapters for “{0}”?', name);
  if (!(await isAgreed(title, vscode.l10n.t('Generate'), detail))) return;
  const chapters = await unlessCanceled(
    withNotification(vscode.l10n.t('Generating chapters for {0}', name), async (signal, report) =>
      proposeChapters(
        { text, spoken },
        {
          model,
          signal,
          onProgress: (done, total) =>
            report(vscode.l10n.t('Request {0} of {1}', done + 1, total), (100 * done) / total),
        },
      ),
    ),
  );
  if (chapters === undefined) return;
  if (chapters.length === 0) {
    inform(vscode.l10n.t('{0} proposed no chapters that fit the transcript.', model.name));
    return;
  }
  await setChapters(parts, recording, chapters);
}
