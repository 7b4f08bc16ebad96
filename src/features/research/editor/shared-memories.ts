import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { BoardClient } from '../service/board-client.ts';
import type { ResearchMemory } from '../model/project.ts';
import { openStore } from '../../sharing/editor/shared-files.ts';
import { filesEndingIn, lastSegment, readSmallFile } from '../../../platform/workspace-files.ts';
import {
  MAX_MEMORY_FILE_LENGTH,
  MEMORIES_FOLDER,
  memoryFileName,
  memoryText,
} from '../service/memory/memory-file.ts';
import { memoriesIn, type MemoryFolder } from '../service/memory/shared-files.ts';
import { literalText } from '../../../platform/literal-text.ts';

/**
 * Returns the memories that the workspace's folders share. Invalid memories are reported and skipped. Memories of an
 * untrusted workspace aren't read.
 */
export async function sharedMemories(onWrong: (problem: string) => void): Promise<readonly ResearchMemory[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return await memoriesIn(
    folders.map(({ uri }): MemoryFolder => {
      const folder = memoriesFolder(uri);
      const memoryFile = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
      return {
        names: () => filesIn(folder),
        size: async (name) => (await vscode.workspace.fs.stat(memoryFile(name))).size,
        read: (name) => readSmallFile(memoryFile(name), MAX_MEMORY_FILE_LENGTH),
      };
    }),
    onWrong,
  );
}

/**
 * Writes a memory to a new file in the first open folder, and opens it for review before it is shared. Without an ID,
 * the user picks the memory; nothing happens if they cancel.
 * @throws NotebookError `not-found` if no folder is open or the memory was deleted, `empty` if there is none yet
 */
export async function shareMemory(board: BoardClient, memoryId?: string): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (root === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t(
        'Research memories are shared through a workspace folder. Open a folder, then share the memory again.',
      ),
    );
  const memories = await board.call('memories', {});
  if (memories.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t('There are no research memories yet. A research project creates one when it’s done.'),
    );
  const memory =
    memoryId === undefined ? await pickMemory(memories) : memories.find(({ id }) => id === memoryId);
  if (memory === undefined) {
    if (memoryId === undefined) return;
    throw new NotebookError('not-found', vscode.l10n.t('This memory was deleted.'));
  }
  const folder = memoriesFolder(root);
  const name = memoryFileName(memory.goal, new Set(await filesIn(folder)));
  await openStore(root).write(`${MEMORIES_FOLDER}/${name}`, Buffer.from(memoryText(memory)));
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, name));
}

async function pickMemory(memories: readonly ResearchMemory[]): Promise<ResearchMemory | undefined> {
  const items = memories.map((memory) => ({
    label: literalText(memory.goal.replaceAll(/\s+/g, ' ')),
    description: new Date(memory.keptAt).toLocaleDateString(vscode.env.language),
    memory,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: vscode.l10n.t('Select the memory to share with this folder'),
  });
  return chosen?.memory;
}

function memoriesFolder(root: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(root, ...MEMORIES_FOLDER.split('/'));
}

/** Returns the names of files that may be memories. */
async function filesIn(folder: vscode.Uri): Promise<string[]> {
  return (await filesEndingIn(folder, '.json')).map(lastSegment);
}
