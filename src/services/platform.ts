import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { NotebookFolders } from '../index/library/notebook-folders.ts';
import { Library } from '../platform/library.ts';
import { NotebookClient } from '../platform/notebook-client.ts';
import { NotebookMemento, Notebooks } from '../features/notebooks/editor/notebooks.ts';
import { indexSettings } from '../platform/settings.ts';
import { reportError } from '../platform/show-errors.ts';
import { StoredCopies } from '../features/sources/editor/stored-copies.ts';

/** Notebooks, and what VS Code gives to the extension. */
export interface Platform {
  readonly extensionId: string;
  readonly extensionUri: vscode.Uri;
  /** Folder of the extension that all workspaces share. */
  readonly storageUri: vscode.Uri;
  /** Folder of the extension for this workspace; undefined without a workspace. */
  readonly workspaceStorageUri: vscode.Uri | undefined;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly secrets: vscode.SecretStorage;
  readonly subscriptions: vscode.Disposable[];
  readonly log: vscode.LogOutputChannel;
  /** Version of the extension. */
  readonly version: string;
  readonly userAgent: string;
  /** Returns the path of a file in the extension's `dist` folder. */
  readonly distPath: (name: string) => string;
  /** Shows an error in one sentence. */
  readonly showError: (error: unknown) => void;
  readonly library: Library;
  readonly copies: StoredCopies;
  readonly notebooks: Notebooks;
  /** Notebook that the window shows. */
  readonly notebook: NotebookClient;
  /** Storage for the notebook that the window shows. */
  readonly memento: NotebookMemento;
}

/** Creates the services that all others use. The notebook opens with its first use. */
export function createPlatform(context: vscode.ExtensionContext): Platform {
  const { extension, extensionUri, globalStorageUri, globalState, workspaceState, secrets } = context;
  const log = vscode.window.createOutputChannel('Open Notebook', { log: true });
  const version = String((extension.packageJSON as { version: unknown }).version);
  const distPath = (name: string): string => vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath;
  const library = new Library(distPath('index-worker.cjs'));
  const folder = vscode.Uri.joinPath(globalStorageUri, 'notebooks').fsPath;
  const copies = new StoredCopies({ storageUri: globalStorageUri, notebooks: folder, library, log });
  const notebooks = new Notebooks({
    library,
    folders: new NotebookFolders(folder),
    ownId: ownNotebook(),
    workspaceState,
    clientFor: (place) =>
      new NotebookClient({ ...place, workerPath: distPath('index-worker.cjs'), indexSettings, log }),
  });
  const notebook = notebooks.shown;
  context.subscriptions.push(
    log,
    copies,
    notebook.onDidOpen(() => {
      copies.notebookOpened();
    }),
  );
  return {
    ...{ extensionId: extension.id, extensionUri, storageUri: globalStorageUri },
    ...{ workspaceStorageUri: context.storageUri, globalState, workspaceState, secrets },
    ...{ subscriptions: context.subscriptions, log, version, distPath, library, copies, notebooks, notebook },
    userAgent: `OpenNotebook/${version} (+https://github.com/open-notebook/open-notebook-vscode)`,
    showError: (error) => {
      reportError(error, log);
    },
    memento: new NotebookMemento(workspaceState, notebook),
  };
}

/** Returns the ID of the workspace's own notebook: one for each workspace, and one for windows without a workspace. */
function ownNotebook(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const roots =
    workspaceFile === undefined ? (workspaceFolders ?? []).map(({ uri }) => uri) : [workspaceFile];
  if (roots.length === 0) return 'no-workspace';
  return createHash('sha256').update(roots.map(String).join('\n')).digest('hex').slice(0, 32);
}
