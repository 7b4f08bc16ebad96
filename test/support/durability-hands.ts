// Claims steps of a research project and submits them until all are done, or until killed. Reports each saved result.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { openResearches } from '../../src/features/research/store/board.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';
import { makeProduct } from './made-boards.ts';

export interface HandsParameters {
  readonly folder: string;
  readonly researchId: string;
  readonly name: string;
  /** Duration of a claim, in milliseconds. */
  readonly hold: number;
}

export interface KeptMessage {
  readonly kind: 'kept' | 'opened';
  readonly stepId?: string;
  readonly text?: string;
}

const { folder, researchId, name, hold } = parametersGiven() as HandsParameters;
endWithParent();
const { database } = await openDatabase(folder);
const { board } = openResearches(new Statements(database));
const holder = { kind: 'model', name, window: String(process.pid) } as const;
sendMessage({ kind: 'opened' } satisfies KeptMessage);

while (board.research({ researchId })?.state === 'running') {
  const claim = board.claimStep({ researchId, holder, hold });
  if (claim === undefined) {
    await sleep(10);
    continue;
  }
  const stepId = claim.step.id;
  const text =
    `What ${stepId} is, by ${name} with ${claim.token}, from ${String(claim.materials.length)}. `.repeat(50);
  const became = board.submitStep({ token: claim.token, product: makeProduct(text, holder) });
  if (became === 'kept') sendMessage({ kind: 'kept', stepId, text } satisfies KeptMessage);
}
database.close();
process.exit(0);
