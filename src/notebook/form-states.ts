import * as v from 'valibot';

/**
 * What a field of a form holds: its text, what of a list is chosen, or the value of what is ticked (`Off` where nothing is).
 */
export type FieldValue = string | readonly string[];

/** A change of one field, by its full name (`person.name`), which can be undone. */
export interface FieldEdit {
  readonly field: string;
  readonly before: FieldValue;
  readonly after: FieldValue;
}

/** What fields are wanted to hold, by their full names. */
export type FilledFields = readonly (readonly [field: string, value: FieldValue])[];

/** Fields as they are kept in JSON. */
export const filledFields = v.array(v.tuple([v.string(), v.union([v.string(), v.array(v.string())])]));

/** The fields of an open form that were changed: what they are wanted to hold, and what they hold in the file. */
export class FormStates {
  #wanted = new Map<string, FieldValue>();
  #inFile = new Map<string, FieldValue>();

  /** What the user wants to stand in the fields. */
  get wanted(): FilledFields {
    return [...this.#wanted];
  }

  /** Fills in a field. */
  apply({ field, before, after }: FieldEdit): void {
    if (!this.#inFile.has(field)) this.#inFile.set(field, before);
    this.#wanted.set(field, after);
  }

  /** Takes back what was filled in. */
  undo({ field, before }: FieldEdit): void {
    this.#wanted.set(field, before);
  }

  /** What has to be saved. */
  changes(): FieldEdit[] {
    return [...this.#wanted].flatMap(([field, after]): FieldEdit[] => {
      const before = this.#inFile.get(field) ?? '';
      return isSameValue(before, after) ? [] : [{ field, before, after }];
    });
  }

  /** These changes are saved. */
  saved(changes: readonly FieldEdit[]): void {
    for (const { field, after } of changes) this.#inFile.set(field, after);
  }

  /** Fields are to hold what they hold in the file, be it known or not. */
  forget(fields: readonly string[]): void {
    for (const field of fields) {
      this.#wanted.delete(field);
      this.#inFile.delete(field);
    }
  }

  /** What is wanted is what is in the file. */
  revert(): void {
    this.#wanted = new Map(this.#inFile);
  }

  /** All that is not in the file yet, as it is kept over a crash. */
  get backup(): { readonly wanted: FilledFields; readonly inFile: FilledFields } {
    return { wanted: this.wanted, inFile: [...this.#inFile] };
  }

  /** Takes up what was kept. */
  restore({ wanted, inFile }: { readonly wanted: FilledFields; readonly inFile: FilledFields }): void {
    this.#wanted = new Map(wanted);
    this.#inFile = new Map(inFile);
  }
}

/** Whether a field that holds the one would not change by being given the other. */
export function isSameValue(a: FieldValue, b: FieldValue): boolean {
  const [one, other] = [[a].flat(), [b].flat()];
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
