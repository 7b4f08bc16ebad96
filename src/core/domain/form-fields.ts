import * as v from 'valibot';
import type { FieldValue } from './form-states.ts';

/** Area on a page that shows the value of a field; a field can have several. */
export interface FieldWidget {
  /** pdf.js's name of its object: `12R`. */
  readonly id: string;
  readonly kind: 'text' | 'tick' | 'choice';
  /** Value of the field if this widget is selected. */
  readonly ticked: string;
}

export interface FormField {
  readonly widgets: readonly FieldWidget[];
  /** Value in the file. */
  readonly value: FieldValue;
}

/** A form with more fields is malicious. */
const MAX_FIELDS = 20_000;

const fieldSchema = v.looseObject({
  id: v.string(),
  type: v.picklist(['text', 'checkbox', 'radiobutton', 'combobox', 'listbox']),
  value: v.fallback(v.nullable(v.string()), null),
  exportValues: v.fallback(v.nullable(v.string()), null),
});

/** Returns the fields of a form that people fill in, by their full names, from pdf.js's field objects. */
export function formFields(objects: unknown): Map<string, FormField> {
  const fields = new Map<string, FormField>();
  if (typeof objects !== 'object' || objects === null) return fields;
  for (const [name, all] of Object.entries(objects).slice(0, MAX_FIELDS)) {
    const read = (Array.isArray(all) ? all : []).flatMap((item: unknown) => {
      const field = v.safeParse(fieldSchema, item);
      return field.success ? [field.output] : [];
    });
    const [first] = read;
    if (first === undefined) continue;
    const isTick = first.type === 'checkbox' || first.type === 'radiobutton';
    fields.set(name, {
      widgets: read.map(({ id, type, exportValues }) => ({
        id,
        kind: type === 'text' ? 'text' : type === 'combobox' || type === 'listbox' ? 'choice' : 'tick',
        ticked: exportValues ?? 'Yes',
      })),
      value: first.value ?? (isTick ? 'Off' : ''),
    });
  }
  return fields;
}

/** Returns pdf.js's value for a widget whose field has a value. */
export function widgetValue({ kind, ticked }: FieldWidget, value: FieldValue): boolean | FieldValue {
  return kind === 'tick' ? value === ticked : value;
}
