import { languageByTag } from '../../../core/language/words/languages.ts';
import { languageOfText } from '../../../core/language/words/words.ts';
import { bytesOfModel, type OfferedModel } from '../service/catalog.ts';
import type { SemanticSearchOffer } from '../../chat/protocol.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { describeOrigin, megabytes, type Origin } from '../../../platform/fetched-files.ts';
import { meaningAddress } from '../../../platform/settings.ts';
import { fetchModel } from './fetch-model.ts';
import type { MeaningParts } from './find-by-meaning.ts';
import { listedModels, modelOrigin } from './model-origin.ts';

/** Local embedding model that isn't installed, and the texts that describe it. */
export interface ModelToOffer extends Pick<SemanticSearchOffer, 'model' | 'size' | 'origin'> {
  readonly offered: OfferedModel;
  readonly from: Origin;
}

/**
 * Returns the model to offer for texts like this one: the first that supports its language. Returns `undefined` if
 * there is none, or if a model is installed, which the user turned off.
 * @throws NotebookError
 */
export async function findModelToOffer(
  { models }: Pick<MeaningParts, 'models'>,
  text: string,
): Promise<ModelToOffer | undefined> {
  if ((await models.all()).length > 0) return undefined;
  const from = modelOrigin(meaningAddress());
  const offers = await listedModels(from, new AbortController().signal);
  const offered = offers.find(({ isEnglishOnly = false }) => !isEnglishOnly || isEnglish(text)) ?? offers[0];
  if (offered === undefined) return undefined;
  const { name, licence } = offered;
  return {
    offered,
    from,
    model: licence === '' ? name : `${name} (${licence})`,
    size: megabytes(bytesOfModel(offered)),
    origin: describeOrigin(from),
  };
}

/** Downloads a model, or resumes its download, and reports each step. @throws NotebookError as `fetchModel` does */
export async function downloadModel(
  { offered, from }: ModelToOffer,
  { models, process, userAgent }: MeaningParts,
  signal: AbortSignal,
  report: (state: SemanticSearchOffer['state']) => void,
): Promise<void> {
  const totalBytes = bytesOfModel(offered);
  let shown: string | undefined;
  const onProgress = (bytes: number): void => {
    const downloaded = megabytes(bytes);
    if (downloaded === shown) return;
    shown = downloaded;
    report(bytes < totalBytes ? { kind: 'downloading', downloaded } : { kind: 'verifying' });
  };
  onProgress(0);
  await fetchModel(offered, from, {
    models,
    userAgent,
    signal,
    onProgress,
    onWait: () => report({ kind: 'waiting' }),
    check: (params, checking) => process.call('check', params, checking),
  });
  throwIfCanceled(signal);
}

/** Reports whether a text is English. Text without stop words counts as English, unless it is in another script. */
function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return 2 * latin >= letters && languageOfText(text) === languageByTag('en');
}
