import { config } from '@vscode/l10n';

/** The words of a language other than English, by the English ones. */
type Translation = Readonly<Record<string, string>>;

let current: Translation | undefined;

/** From now on this thread speaks the language of a translation, or English without one. */
export function setTranslation(translation: Translation | undefined): void {
  current = translation;
  config({ contents: { ...translation } });
}

/** The data that hands this thread's translation to a worker that it starts. */
export function translationForWorker(): object {
  return { translation: current };
}

/** Takes what the thread that started this worker handed on with `translationForWorker`; English, where it was nothing. */
export function takeTranslation(workerData: unknown): void {
  if (typeof workerData !== 'object' || workerData === null || !('translation' in workerData)) return;
  if (isTranslation(workerData.translation)) setTranslation(workerData.translation);
}

/** Whether data that was handed on is a translation. */
export function isTranslation(data: unknown): data is Translation {
  return (
    typeof data === 'object' &&
    data !== null &&
    Object.values(data).every((words) => typeof words === 'string')
  );
}
