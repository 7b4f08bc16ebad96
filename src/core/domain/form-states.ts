import * as v from 'valibot';

/**
 * Value of a form field: its text, the selected items of a list, or the value of the selected box (`Off` if none is).
 */
export type FieldValue = string | readonly string[];

/** Change of one field, by its full name (`person.name`), which can be undone. */
export interface FieldEdit {
  readonly field: string;
  readonly before: FieldValue;
  readonly after: FieldValue;
}

/** Values of fields, by their full names. */
export type FilledFields = readonly (readonly [field: string, value: FieldValue])[];

/** JSON schema of stored fields. */
export const filledFields = v.array(v.tuple([v.string(), v.union([v.string(), v.array(v.string())])]));

/** Changed fields of an open form, with their current values and their values in the file. */
export class FormStates {
  #current = new Map<string, FieldValue>();
  #inFile = new Map<string, FieldValue>();

  /** The current values of the changed fields, saved or not. */
  get current(): FilledFields {
    return [...this.#current];
  }

  /** Fills in a field. */
  apply({ field, before, after }: FieldEdit): void {
    if (!this.#inFile.has(field)) this.#inFile.set(field, before);
    this.#current.set(field, after);
  }

  /** Reverts an edit. */
  undo({ field, before }: FieldEdit): void {
    this.#current.set(field, before);
  }

  /** Returns the unsaved changes. */
  changes(): FieldEdit[] {
    return [...this.#current].flatMap(([field, after]): FieldEdit[] => {
      const before = this.#inFile.get(field) ?? '';
      return isSameValue(before, after) ? [] : [{ field, before, after }];
    });
  }

  /** Marks changes as saved. */
  markSaved(changes: readonly FieldEdit[]): void {
    for (const { field, after } of changes) this.#inFile.set(field, after);
  }

  /** Resets fields to their values in the file, known or not. */
  forget(fields: readonly string[]): void {
    for (const field of fields) {
      this.#current.delete(field);
      this.#inFile.delete(field);
    }
  }

  /** Discards all unsaved changes. */
  revert(): void {
    this.#current = new Map(this.#inFile);
  }

  /** Everything that isn't in the file yet, for recovery after a crash. */
  get backup(): { readonly current: FilledFields; readonly inFile: FilledFields } {
    return { current: this.current, inFile: [...this.#inFile] };
  }

  /** Restores a backup. */
  restore({ current, inFile }: { readonly current: FilledFields; readonly inFile: FilledFields }): void {
    this.#current = new Map(current);
    this.#inFile = new Map(inFile);
  }
}

/** Reports whether two field values are equal. */
export function isSameValue(a: FieldValue, b: FieldValue): boolean {
  const [one, other] = [[a].flat(), [b].flat()];
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
