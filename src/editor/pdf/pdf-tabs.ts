import * as vscode from 'vscode';
import { showInformation } from '../dialogs.ts';
import { PDF_VIEW_TYPE } from './pdf-viewer.ts';

/** Storage key of the user's answer to whether our viewer should be the default. */
const CHOICE_KEY = 'openNotebook.pdfDefault';
/**
 * A text tab that opens within this time after our viewer of the same PDF closed replaces it. VS Code can report the closed
 * tab before the opened one.
 */
const REPLACEMENT_MS = 2_000;
type Choice = 'asked' | 'declined';

interface PdfTabsParts {
  readonly memory: vscode.Memento;
  readonly onError: (error: unknown) => void;
}

/**
 * Opens PDFs in our viewer that the editor would show as bytes, wherever they were opened. Does nothing if the user has
 * another viewer, or has chosen an editor for PDFs.
 */
export function openPdfTabs({ memory, onError }: PdfTabsParts): vscode.Disposable {
  const reopening = new Set<string>();
  /** PDFs that the user reopened as text, as long as their tabs are open. */
  const chosen = new Set<string>();
  /** Times at which tabs of our viewer were closed, in milliseconds since 1970, by URI. */
  const closedAt = new Map<string, number>();
  const take = (tabs: readonly vscode.Tab[], closed: readonly vscode.Tab[]): void => {
    const now = Date.now();
    for (const [uri, time] of closedAt) if (now - time > REPLACEMENT_MS) closedAt.delete(uri);
    for (const tab of closed) {
      chosen.delete(bytesShownBy(tab)?.toString() ?? '');
      if (tab.input instanceof vscode.TabInputCustom) closedAt.set(tab.input.uri.toString(), now);
    }
    for (const tab of tabs) {
      const uri = tab.isActive ? bytesShownBy(tab) : undefined;
      if (uri === undefined || chosen.has(uri.toString())) continue;
      // A user who reopens a PDF as text from our viewer wants its text.
      const isChosen =
        closedAt.has(uri.toString()) ||
        vscode.window.tabGroups.all
          .flatMap((group) => group.tabs)
          .some(
            ({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
          );
      if (isChosen) chosen.add(uri.toString());
      if (isChosen || reopening.has(uri.toString())) continue;
      if (memory.get<Choice>(CHOICE_KEY) === 'declined' || hasOwnEditor(uri)) continue;
      reopening.add(uri.toString());
      void reopen(tab, uri)
        .finally(() => reopening.delete(uri.toString()))
        .then(() => offerDefault(memory))
        .catch(onError);
    }
  };
  take(
    vscode.window.tabGroups.all.flatMap(({ activeTab }) => activeTab ?? []),
    [],
  );
  return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed, closed }) => {
    take([...opened, ...changed], closed);
  });
}

/** Returns the PDF that a tab shows as bytes or text; undefined for other tabs. */
function bytesShownBy({ input }: vscode.Tab): vscode.Uri | undefined {
  if (!(input instanceof vscode.TabInputText) || !/\.pdf$/i.test(input.uri.path)) return undefined;
  const schemes = new Set([
    'file',
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme),
  ]);
  return schemes.has(input.uri.scheme) ? input.uri : undefined;
}

/** Reports whether the user has chosen an editor for PDFs, or another extension has one. */
function hasOwnEditor(uri: vscode.Uri): boolean {
  const chosen = vscode.workspace
    .getConfiguration('workbench', uri)
    .inspect<Record<string, string>>('editorAssociations');
  const patterns = [chosen?.globalValue, chosen?.workspaceValue, chosen?.workspaceFolderValue].flatMap(
    (associations) => Object.keys(associations ?? {}),
  );
  const others = vscode.extensions.all.flatMap((extension) => otherEditors(extension.packageJSON as unknown));
  return [...patterns, ...others].some((pattern) => /\.(?:\{[^}]{0,200}\bpdf\b|pdf$)/i.test(pattern));
}

/** Returns the file patterns of the custom editors of another extension. */
function otherEditors(manifest: unknown): string[] {
  const { contributes } = manifest as {
    contributes?: { customEditors?: { viewType?: string; selector?: { filenamePattern?: string }[] }[] };
  };
  return (contributes?.customEditors ?? []).flatMap(({ viewType, selector = [] }) =>
    viewType === PDF_VIEW_TYPE ? [] : selector.flatMap(({ filenamePattern }) => filenamePattern ?? []),
  );
}

async function reopen(tab: vscode.Tab, uri: vscode.Uri): Promise<void> {
  const { group, isPreview } = tab;
  const place = { viewColumn: group.viewColumn, preview: isPreview, preserveFocus: !group.isActive };
  const textTabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter((each) => bytesShownBy(each)?.toString() === uri.toString());
  // A text tab that opens meanwhile is the user’s choice.
  const replaced = new Set(textTabs());
  await vscode.commands.executeCommand('vscode.openWith', uri, PDF_VIEW_TYPE, place);
  const left = textTabs().filter((each) => replaced.has(each));
  if (left.length > 0) await vscode.window.tabGroups.close(left, true);
}

/** Asks once whether PDFs are to open here in every window, also before the extension has started. */
async function offerDefault(memory: vscode.Memento): Promise<void> {
  if (memory.get<Choice>(CHOICE_KEY) !== undefined) return;
  await memory.update(CHOICE_KEY, 'asked' satisfies Choice);
  const make = vscode.l10n.t('Make Default');
  const decline = vscode.l10n.t('Don’t Open PDFs Here');
  const question = vscode.l10n.t(
    'PDFs open in the PDF viewer of Open Notebook. Make it the default editor for PDFs in all windows?',
  );
  const chosen = await showInformation(question, [make, decline]);
  if (chosen === decline) await memory.update(CHOICE_KEY, 'declined' satisfies Choice);
  if (chosen !== make) return;
  const workbench = vscode.workspace.getConfiguration('workbench');
  const associations = workbench.inspect<Record<string, string>>('editorAssociations')?.globalValue;
  await workbench.update(
    'editorAssociations',
    { ...associations, '*.pdf': PDF_VIEW_TYPE },
    vscode.ConfigurationTarget.Global,
  );
}
