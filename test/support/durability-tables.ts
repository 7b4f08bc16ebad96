// Fills a table with the model of an endpoint until no cell waits, or until killed.
import { openAiModel } from '../../src/answers/models/openai.ts';
import { answerCell } from '../../src/features/tables/service/answer-cell.ts';
import { makeNotebook } from '../unit/answering-fixtures.ts';
import { endWithParent, parametersGiven } from './durability-messages.ts';
import { fill, openTables } from './extraction-tables.ts';

export interface FillerParameters {
  readonly folder: string;
  readonly tableId: string;
  readonly holder: string;
  /** Offset of the process's clock, in milliseconds. */
  readonly later: number;
  readonly baseUrl: string;
}

const { folder, tableId, holder, later, baseUrl } = parametersGiven() as FillerParameters;
endWithParent();
const opened = await openTables(folder, () => Date.now() + later);
const { documents } = opened.store;
const model = openAiModel({ baseUrl, name: 'scripted-1', temperature: 0 });
await fill(opened, tableId, {
  holder,
  answer: async ({ sourceId, title }, question, signal) => {
    const id = documents.ofSource(sourceId)[0]?.id ?? 0;
    const text = documents.document(id)?.text ?? '';
    const passages = makeNotebook([{ id, title, text }]);
    return await answerCell({ question, row: { title, length: text.length }, passages, model, signal });
  },
});
opened.sql.close();
process.exit(0);
