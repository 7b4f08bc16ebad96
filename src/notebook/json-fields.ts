/** Whether a value of JSON is an object, with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of what somebody else wrote, such as a server; none where it is no object. */
export function readFields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The strings of a list that somebody else wrote. */
export function readStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** A whole number above 0 that somebody else wrote. */
export function readWholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
