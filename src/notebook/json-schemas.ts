import * as v from 'valibot';

/** What is left out where it is something else. */
export function maybe<T>(
  schema: v.GenericSchema<unknown, T>,
): v.SchemaWithFallback<v.OptionalSchema<v.GenericSchema<unknown, T>, undefined>, undefined> {
  return v.fallback(v.optional(schema), undefined);
}

/** What fits of a list. */
export function fitting<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T[]> {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((list) =>
      list.flatMap((one) => {
        const read = v.safeParse(schema, one);
        return read.success ? [read.output] : [];
      }),
    ),
  );
}
