import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { fetchWithProgress } from '../../../platform/fetch-with-progress.ts';
import { inOneWindow, megabytes, describeOrigin } from '../../../platform/fetched-files.ts';
import {
  changeRecognitionLanguages,
  recognitionAddress,
  recognitionLanguages,
} from '../../../platform/settings.ts';
import { CARRIED_LANGUAGE, languageName, offeredLanguages, type OfferedLanguage } from './catalog.ts';
import { languageOrigin } from './fetch-language.ts';
import type { RecognitionLanguages } from './recognition-languages.ts';
import { chosenFrom, inform, isAgreed, offerActionOnWarning, showError } from '../../../platform/dialogs.ts';

/** Language to choose; a heading if it has none. */
interface Item extends vscode.QuickPickItem {
  readonly language?: OfferedLanguage;
}

/** Languages selected now and before, or the action to change the address. */
type Answer =
  | {
      readonly kind: 'chosen';
      readonly languages: readonly OfferedLanguage[];
      readonly before: readonly OfferedLanguage[];
    }
  | { readonly kind: 'address' };

/**
 * Lets the user choose the languages of text recognition. Missing languages are downloaded with the user's consent, and
 * installed ones can be removed.
 * @throws NotebookError `unsupported` if the setting names no valid origin
 */
export async function chooseLanguages(languages: RecognitionLanguages): Promise<void> {
  const answer = await ask(languages);
  if (answer?.kind === 'address') await openAddressSetting();
  if (answer?.kind === 'chosen') await choose(languages, answer.languages, answer.before);
}

/** Reports a language with a damaged file, and offers to download it again. */
export async function showDamagedLanguage(
  languages: RecognitionLanguages,
  language: OfferedLanguage,
): Promise<void> {
  const name = shownName(language);
  if (language.code === CARRIED_LANGUAGE) {
    await showError(
      vscode.l10n.t('The text recognition data for {0} is damaged. Reinstall Open Notebook.', name),
    );
    return;
  }
  const message = vscode.l10n.t(
    'The text recognition data for {0} was damaged, so Open Notebook deleted it.',
    name,
  );
  if (!(await offerActionOnWarning(message, vscode.l10n.t('Download Again…')))) return;
  if (await agreesToFetch([language])) await fetchLanguages(languages, [language]);
}

async function ask(languages: RecognitionLanguages): Promise<Answer | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('Choose Text Recognition Languages');
  picker.placeholder = vscode.l10n.t(
    'Select the languages in your scans and images. Fewer languages are faster.',
  );
  picker.canSelectMany = true;
  picker.keepScrollPosition = true;
  picker.matchOnDescription = true;
  picker.buttons = [
    { iconPath: new vscode.ThemeIcon('gear'), tooltip: vscode.l10n.t('Download from Another Location…') },
  ];
  picker.busy = true;
  const before = offeredLanguages.filter(({ code }) => recognitionLanguages().includes(code));
  const fill = async (ticked: readonly OfferedLanguage[]): Promise<void> => {
    const items = await makeItems(languages);
    picker.items = items;
    picker.selectedItems = items.filter(
      ({ language }) => language !== undefined && ticked.includes(language),
    );
    picker.busy = false;
  };
  const ticked = (): OfferedLanguage[] => picker.selectedItems.flatMap(({ language }) => language ?? []);
  const remove = async (removed: OfferedLanguage): Promise<void> => {
    await languages.remove(removed.code);
    await fill(ticked().filter((language) => language !== removed));
    await change(languages, (codes) => codes.filter((code) => code !== removed.code), true);
  };
  const removals: Promise<void>[] = [];
  try {
    return await chosenFrom<Answer, Item>(picker, (choose, fail) => {
      picker.onDidTriggerButton(() => {
        choose({ kind: 'address' });
      });
      picker.onDidTriggerItemButton(({ item: { language } }) => {
        if (language === undefined) return;
        const removal = remove(language);
        removals.push(removal);
        removal.catch(fail);
      });
      picker.onDidAccept(() => {
        choose({ kind: 'chosen', languages: ticked(), before });
      });
      fill(before).catch(fail);
    });
  } finally {
    await Promise.all(removals);
  }
}

async function makeItems(languages: RecognitionLanguages): Promise<Item[]> {
  const installed = await languages.listInstalled();
  const isThere = (language: OfferedLanguage): boolean =>
    language.code === CARRIED_LANGUAGE || installed.includes(language);
  const { compare } = new Intl.Collator(vscode.env.language);
  const named = [...offeredLanguages].sort((a, b) => compare(shownName(a), shownName(b)));
  const missing = named.filter((language) => !isThere(language));
  return [
    heading(vscode.l10n.t('On this machine')),
    ...named.filter(isThere).map(installedItem),
    heading(fetchedFrom()),
    ...(await Promise.all(missing.map((language) => offeredItem(languages, language)))),
  ];
}

function heading(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Describes the origin of languages, or the problem with the setting if it names no valid origin. */
function fetchedFrom(): string {
  try {
    return vscode.l10n.t(
      'Available from {0}',
      describeOrigin(languageOrigin(recognitionAddress(), CARRIED_LANGUAGE)),
    );
  } catch (error) {
    if (error instanceof NotebookError) return error.message;
    throw error;
  }
}

function installedItem(language: OfferedLanguage): Item {
  const name = shownName(language);
  if (language.code === CARRIED_LANGUAGE)
    return {
      label: name,
      description: describeLanguage(language, vscode.l10n.t('included with Open Notebook')),
      language,
    };
  const tooltip = vscode.l10n.t('Remove {0}', name);
  return {
    label: name,
    description: describeLanguage(language, megabytes(language.bytes)),
    language,
    buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip }],
  };
}

async function offeredItem(languages: RecognitionLanguages, language: OfferedLanguage): Promise<Item> {
  const downloadedBytes = await languages.bytesThere(language.code);
  const size = megabytes(language.bytes);
  const detail =
    downloadedBytes > 0
      ? vscode.l10n.t('{0} of {1} downloaded. Select to resume.', megabytes(downloadedBytes), size)
      : size;
  return { label: shownName(language), description: describeLanguage(language, detail), language };
}

/** Returns the language's own name, if it differs from the label, and another text. */
function describeLanguage(language: OfferedLanguage, details: string): string {
  const own = languageName(language.code);
  // Isolates the name, because Arabic would reverse the text that follows it.
  return own === shownName(language) ? details : `\u2068${own}\u2069 · ${details}`;
}

/** Changes the setting while no other window does, because VS Code rejects simultaneous writes. */
async function change(
  languages: RecognitionLanguages,
  ...what: Parameters<typeof changeRecognitionLanguages>
): Promise<void> {
  await mkdir(languages.folder, { recursive: true });
  const lock = join(languages.folder, 'settings.lock');
  const patiently = { signal: new AbortController().signal, onWait: () => undefined };
  await inOneWindow(lock, patiently, () => changeRecognitionLanguages(...what));
}

/** Turns on the installed languages, and downloads the others if the user agrees. */
async function choose(
  languages: RecognitionLanguages,
  chosen: readonly OfferedLanguage[],
  before: readonly OfferedLanguage[],
): Promise<void> {
  const installed = await languages.listInstalled();
  const missing = chosen.filter(
    (language) => language.code !== CARRIED_LANGUAGE && !installed.includes(language),
  );
  if (missing.length > 0 && !(await agreesToFetch(missing))) return;
  const removedCodes = listCodes(before.filter((language) => !chosen.includes(language)));
  const offeredCodes = listCodes(chosen.filter((language) => !missing.includes(language)));
  await change(languages, (codes) => [
    ...codes.filter((code) => !removedCodes.includes(code)),
    ...offeredCodes.filter((code) => !codes.includes(code)),
  ]);
  if (missing.length > 0) await fetchLanguages(languages, missing);
}

async function agreesToFetch(missing: readonly OfferedLanguage[]): Promise<boolean> {
  const place = describeOrigin(languageOrigin(recognitionAddress(), CARRIED_LANGUAGE));
  return await isAgreed(
    vscode.l10n.t('Download {0} ({1})?', listLanguages(missing), megabytes(countBytes(missing))),
    vscode.l10n.t('Download'),
    vscode.l10n.t(
      'Open Notebook downloads the language data once from {0}, verifies it, and then uses it offline in all windows. Your scans and images stay on this machine.',
      place,
    ),
  );
}

/** Downloads languages one after the other, and turns on each as soon as it is installed. */
async function fetchLanguages(
  languages: RecognitionLanguages,
  missing: readonly OfferedLanguage[],
): Promise<void> {
  const isDone = await fetchWithProgress(listLanguages(missing), countBytes(missing), async (fetching) => {
    let before = 0;
    for (const language of missing) {
      await languages.fetch(language, {
        ...fetching,
        onProgress: (bytes) => fetching.onProgress(before + bytes),
      });
      before += language.bytes;
      const { code } = language;
      await change(languages, (codes) => (codes.includes(code) ? codes : [...codes, code]));
    }
    return true;
  });
  if (isDone === true)
    inform(
      vscode.l10n.t('Open Notebook now recognizes text in these languages: {0}.', listLanguages(missing)),
    );
}

function listCodes(languages: readonly OfferedLanguage[]): readonly string[] {
  return languages.map(({ code }) => code);
}

function countBytes(languages: readonly OfferedLanguage[]): number {
  return languages.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns “French, German and Greek”, in VS Code's display language. */
function listLanguages(languages: readonly OfferedLanguage[]): string {
  return new Intl.ListFormat([vscode.env.language, 'en'], { type: 'conjunction' }).format(
    languages.map(shownName),
  );
}

function shownName({ code }: OfferedLanguage): string {
  return languageName(code, vscode.env.language);
}

async function openAddressSetting(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openSettings',
    'openNotebook.recognition.languageAddress',
  );
}
