import * as v from 'valibot';

/** Object of JSON that isn't a list. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Accepts any value: an object stays as it is, and other values become an object without fields. */
export const anyFields = v.fallback(jsonObject, {});

/** List whose items aren't checked yet, since there may be half a million. */
export const anyList = v.custom<readonly unknown[]>(Array.isArray);

export const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Returns a schema that reads invalid values as undefined. */
export function maybe<T>(
  schema: v.GenericSchema<unknown, T>,
): v.SchemaWithFallback<v.OptionalSchema<v.GenericSchema<unknown, T>, undefined>, undefined> {
  return v.fallback(v.optional(schema), undefined);
}

/** Returns a schema that reads only the valid items of a list. */
export function fitting<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T[]> {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((list) =>
      list.flatMap((item) => {
        const read = v.safeParse(schema, item);
        return read.success ? [read.output] : [];
      }),
    ),
  );
}

/** Result of `fields`: each field is present if its value is valid. */
type Fields<E extends v.ObjectEntries> = { readonly [K in keyof E]?: v.InferOutput<E[K]> | undefined };

/** Returns a schema that reads only the valid fields of an object from elsewhere; no fields if it isn't an object. */
export function fields<const E extends v.ObjectEntries>(entries: E): v.GenericSchema<unknown, Fields<E>> {
  const lenient = Object.entries(entries).map(([name, schema]) => [name, maybe(schema)] as const);
  return v.fallback(v.object(Object.fromEntries(lenient)), {});
}
