import type { BoardClient } from '../../notebook/research-board.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** The board of a notebook's researches, as the notebook is asked for it. */
export function boardClient(notebook: Pick<NotebookClient, 'call'>): BoardClient {
  // The index's calls hold the board's; the compiler does not see through what both compute of a method's name.
  return notebook as unknown as BoardClient;
}
