// Fills a matrix until nothing waits or it is killed; tells each cell before it is asked and once it was answered.
import { endWithParent, parametersGiven, tell } from './durability-told.ts';
import { fill, openMatrices, writtenAnswer } from './matrices.ts';

export interface FillerParameters {
  readonly folder: string;
  readonly matrixId: string;
  readonly holder: string;
  /** How much later it is than the clock says, in milliseconds. */
  readonly later: number;
}

export interface FilledMessage {
  readonly kind: 'answered' | 'asked';
  readonly cell: string;
}

const { folder, matrixId, holder, later } = parametersGiven() as FillerParameters;
endWithParent();
const opened = await openMatrices(folder, () => Date.now() + later);
await fill(opened, matrixId, {
  holder,
  answer: async ({ sourceId, id }, question) => {
    const cell = `${id} ${question}`;
    tell({ kind: 'asked', cell } satisfies FilledMessage);
    await new Promise((resolve) => setTimeout(resolve, 2));
    tell({ kind: 'answered', cell } satisfies FilledMessage);
    return writtenAnswer(sourceId, `Answer to ${cell}`);
  },
});
opened.sql.close();
process.exit(0);
