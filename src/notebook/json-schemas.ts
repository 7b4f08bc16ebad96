import * as v from 'valibot';

/** An object of JSON, which is no list. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The same; of anything else an object without fields. */
export const anyFields = v.fallback(jsonObject, {});

/** A list whose items are not looked at yet, as there may be half a million of them. */
export const anyList = v.custom<readonly unknown[]>(Array.isArray);

/** A whole number above 0. */
export const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

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

/** What `fields` reads: each is there where it is what its schema says. */
type Fields<E extends v.ObjectEntries> = { readonly [K in keyof E]?: v.InferOutput<E[K]> | undefined };

/** Of an object that somebody else wrote those fields that are what they have to be; none of what is no object. */
export function fields<const E extends v.ObjectEntries>(entries: E): v.GenericSchema<unknown, Fields<E>> {
  const lenient = Object.entries(entries).map(([name, schema]) => [name, maybe(schema)] as const);
  return v.fallback(v.object(Object.fromEntries(lenient)), {});
}
