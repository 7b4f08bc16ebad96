import * as v from 'valibot';
import type { StoredSchema } from '../../../index/store/database/stored-json.ts';
import type { MatrixColumn } from '../model/matrix.ts';

/** Schema for the columns of an extraction table. */
export const storedColumns: StoredSchema<MatrixColumn[]> = v.array(
  v.looseObject({ id: v.string(), question: v.string() }),
);
