import * as vscode from 'vscode';
import type { Source } from '../../../core/domain/source.ts';
import { copyTo } from '../../../platform/write-file.ts';
import type { SourceAdder } from './add-sources.ts';

interface SampleParts {
  readonly extensionUri: vscode.Uri;
  /** Storage folder of the extension that survives updates. */
  readonly storageUri: vscode.Uri;
  readonly adder: SourceAdder;
}

/** Guides to Open Notebook for users who have no sources at hand. */
export class Sample {
  readonly #parts: SampleParts;
  readonly #folder: vscode.Uri;

  constructor(parts: SampleParts) {
    this.#parts = parts;
    this.#folder = folderUri(parts.storageUri, 'sample');
  }

  /** Adds the guides as sources. Copies them first, because an update of the extension deletes its folder. */
  async add(): Promise<void> {
    const from = folderUri(this.#parts.extensionUri, 'media', 'sample');
    const names = (await vscode.workspace.fs.readDirectory(from)).map(([name]) => name).sort();
    await vscode.workspace.fs.createDirectory(this.#folder);
    for (const name of names)
      await copyTo(vscode.Uri.joinPath(from, name), vscode.Uri.joinPath(this.#folder, name));
    await this.#parts.adder.addAll({ own: names.map((name) => vscode.Uri.joinPath(this.#folder, name)) });
  }

  /** Reports whether a source is one of the guides. */
  has({ origin }: Source): boolean {
    return origin.kind === 'file' && origin.uri.startsWith(`${this.#folder.toString()}/`);
  }
}

/** Returns a folder on this machine's disk, with the URI that its files have as sources. */
function folderUri(parent: vscode.Uri, ...path: readonly string[]): vscode.Uri {
  return vscode.Uri.file(vscode.Uri.joinPath(parent, ...path).fsPath);
}
