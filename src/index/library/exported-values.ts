import * as v from 'valibot';
import { plainTitle } from '../../core/domain/plain-title.ts';
import { webAddress } from './portable-places.ts';

/** Number that SQLite can return. An integer column can store larger ones, but can't return them as numbers. */
export const finite = v.pipe(
  v.number(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

/** Number of milliseconds or bytes. */
export const wholeNumber = v.pipe(finite, v.transform(Math.trunc));

/** Title as plain text. */
export const title = v.pipe(v.string(), v.transform(plainTitle));

/** Address of a web page. */
export const address = v.pipe(v.string(), v.transform(webAddress), v.nonEmpty());

/** Returns a schema for counts of at most `limit`. */
export function count(limit = Number.MAX_SAFE_INTEGER): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limit));
}

/** Returns a schema for a value that can be missing or null. */
export function optional<const S extends v.GenericSchema>(schema: S): v.NullishSchema<S, () => undefined> {
  return v.nullish(schema, () => undefined);
}
