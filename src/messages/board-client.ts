import type { ResearchBoard } from '../notebook/research-board.ts';
import type { Client } from './rpc.ts';

/** Client for the board of a notebook's research projects, in any process. */
export type BoardClient = Pick<Client<ResearchBoard>, 'call'>;
