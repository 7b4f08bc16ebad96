import * as v from 'valibot';
import { plainTitle } from '../../notebook/plain-title.ts';
import { webAddress } from './portable-places.ts';

/** A number that SQLite gives back: a column of whole numbers keeps a larger one, which can't be read as a number again. */
export const finite = v.pipe(
  v.number(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

/** Milliseconds or bytes. */
export const wholeNumber = v.pipe(finite, v.transform(Math.trunc));

/** A title as it can be shown. */
export const title = v.pipe(v.string(), v.transform(plainTitle));

/** The address of a page. */
export const address = v.pipe(v.string(), v.transform(webAddress), v.nonEmpty());

/** A number to count with, at most `most`. */
export function count(most = Number.MAX_SAFE_INTEGER): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
}

/** What may be left out, or be null. */
export function optional<const S extends v.GenericSchema>(schema: S): v.NullishSchema<S, () => undefined> {
  return v.nullish(schema, () => undefined);
}
