import type { ResearchBoard } from '../model/board.ts';
import type { Client } from '../../../core/rpc/rpc.ts';

/** Client for the board of a notebook's research projects, in any process. */
export type BoardClient = Pick<Client<ResearchBoard>, 'call'>;
