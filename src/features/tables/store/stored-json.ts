import * as v from 'valibot';
import type { StoredSchema } from '../../../index/store/database/stored-json.ts';
import type { ExtractionColumn } from '../model/extraction-table.ts';

/** Schema for the columns of an extraction table. */
export const storedColumns: StoredSchema<ExtractionColumn[]> = v.array(
  v.looseObject({ id: v.string(), question: v.string() }),
);
