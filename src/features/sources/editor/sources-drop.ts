import * as vscode from 'vscode';
import type { DroppedFile } from '../../chat/protocol.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { urisInList, type DroppedItems, type DroppedSources } from './dropped-sources.ts';
import type { SourcesNode } from './source-items.ts';
import { reportError } from '../../../platform/show-errors.ts';
import { statFile } from '../../../platform/workspace-files.ts';

const URI_LIST = 'text/uri-list';

/** VS Code's media type of rows dragged from the Sources view. */
const OWN_NODES = 'application/vnd.code.tree.opennotebook.sources';

/** Adds content dropped on the Sources view, and provides the addresses of rows dragged from it. */
export class SourcesDrop implements vscode.TreeDragAndDropController<SourcesNode> {
  readonly dropMimeTypes = [URI_LIST, 'files', 'text/plain'];
  readonly dragMimeTypes = [URI_LIST];
  readonly #droppedSources: DroppedSources;
  readonly #log: vscode.LogOutputChannel;

  constructor(droppedSources: DroppedSources, log: vscode.LogOutputChannel) {
    this.#droppedSources = droppedSources;
    this.#log = log;
  }

  handleDrag(nodes: readonly SourcesNode[], transfer: vscode.DataTransfer): void {
    const addresses = nodes.map(findAddress).filter((address) => address !== undefined);
    if (addresses.length > 0) transfer.set(URI_LIST, new vscode.DataTransferItem(addresses.join('\r\n')));
  }

  async handleDrop(_on: SourcesNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    if (transfer.get(OWN_NODES) !== undefined) return;
    try {
      await this.#droppedSources.add({ ...(await readDropped(transfer)), isNamed: true });
    } catch (error) {
      reportError(error, this.#log);
    }
  }
}

/** Returns dropped content: addresses if there are any, or else text, and files without a path on disk. */
async function readDropped(transfer: vscode.DataTransfer): Promise<DroppedItems> {
  const uris = urisInList((await transfer.get(URI_LIST)?.asString()) ?? '');
  const files: DroppedFile[] = [];
  for (const [, item] of transfer) {
    const file = item.asFile();
    if (file === undefined) continue;
    const uri = file.uri?.toString();
    if (file.uri === undefined || (await statFile(file.uri)) === undefined)
      files.push({ path: file.name, bytes: await readBytes(file) });
    else if (uri !== undefined && !uris.includes(uri)) uris.push(uri);
  }
  const text = await transfer.get('text/plain')?.asString();
  return { uris, files, text: uris.length + files.length === 0 ? text : undefined };
}

/** @throws NotebookError `unsupported` if it has no bytes, such as a folder on another machine */
async function readBytes(file: vscode.DataTransferFile): Promise<Uint8Array> {
  try {
    return await file.data();
  } catch (error) {
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t(
        'Can’t drop {0} here. Hold Shift and drop it on the chat, or use “Add Files or Folders…”.',
        file.name,
      ),
      { cause: error },
    );
  }
}

/** Returns the address of a row's original; undefined if it has none. */
function findAddress(node: SourcesNode): string | undefined {
  if (node.kind === 'document') return node.document.uri || undefined;
  const { origin } = node.source;
  if ('uri' in origin) return origin.uri;
  return origin.kind === 'page' ? origin.url : origin.kind === 'site' ? origin.starts[0] : undefined;
}
