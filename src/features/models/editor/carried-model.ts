import type * as vscode from 'vscode';
import { parseModelChoice } from '../../../core/domain/model-choice.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Key under which workspaces stored the picked model before notebooks stored it themselves. */
const KEY = 'model';

type StateStorage = Pick<vscode.Memento, 'get' | 'update'>;

/**
 * Moves the model that was picked in an earlier version to the notebook, once, unless another model was picked since.
 * @throws NotebookError if the notebook can't be written; the stored model then stays.
 */
export async function carryModelOver(
  memento: StateStorage,
  notebook: Pick<NotebookClient, 'call'>,
): Promise<void> {
  const before = memento.get<unknown>(KEY);
  if (before === undefined) return;
  const choice = parseModelChoice(before);
  const picked = await notebook.call('pickedModels', { conversationId: '' });
  if (choice !== undefined && picked.notebook === undefined) await notebook.call('pickModel', { choice });
  await forgetCarriedModel(memento);
}

/** Deletes the model of an earlier version, because the picked model replaces it. */
export async function forgetCarriedModel(memento: StateStorage): Promise<void> {
  if (memento.get<unknown>(KEY) !== undefined) await memento.update(KEY, undefined);
}
