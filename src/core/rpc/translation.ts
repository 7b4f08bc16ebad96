import { config } from '@vscode/l10n';

/** Texts in a language other than English, by their English texts. */
type Translation = Readonly<Record<string, string>>;

let current: Translation | undefined;

/** Switches this thread to the language of a translation; undefined switches to English. */
export function setTranslation(translation: Translation | undefined): void {
  current = translation;
  config({ contents: { ...translation } });
}

/** Returns data that passes this thread's translation to a worker. */
export function translationForWorker(): object {
  return { translation: current };
}

/** Uses the translation that the starting thread passed with `translationForWorker`; English if there is none. */
export function takeTranslation(workerData: unknown): void {
  if (typeof workerData !== 'object' || workerData === null || !('translation' in workerData)) return;
  if (isTranslation(workerData.translation)) setTranslation(workerData.translation);
}

/** Reports whether passed data is a translation. */
export function isTranslation(data: unknown): data is Translation {
  return (
    typeof data === 'object' &&
    data !== null &&
    Object.values(data).every((words) => typeof words === 'string')
  );
}
