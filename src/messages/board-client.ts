import type { ResearchBoard } from '../notebook/research-board.ts';
import type { Client } from './rpc.ts';

/** Asks the board of a notebook's researches, wherever it is. */
export type BoardClient = Pick<Client<ResearchBoard>, 'call'>;
