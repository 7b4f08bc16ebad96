import * as v from 'valibot';
import type { FieldValue } from './form-states.ts';

/** A place on a page where a field shows what it holds; a field may have several. */
export interface FieldWidget {
  /** pdf.js's name of its object: `12R`. */
  readonly id: string;
  readonly kind: 'text' | 'tick' | 'choice';
  /** What the field holds where this is ticked. */
  readonly ticked: string;
}

/** A field that people fill in. */
export interface FormField {
  readonly widgets: readonly FieldWidget[];
  /** As the file has it. */
  readonly value: FieldValue;
}

/** A form with more fields was made to harm. */
const MOST_FIELDS = 20_000;

const told = v.looseObject({
  id: v.string(),
  type: v.picklist(['text', 'checkbox', 'radiobutton', 'combobox', 'listbox']),
  value: v.fallback(v.nullable(v.string()), null),
  exportValues: v.fallback(v.nullable(v.string()), null),
});

/** Of what pdf.js tells of a form, the fields that people fill in, by their full names. */
export function formFields(objects: unknown): Map<string, FormField> {
  const fields = new Map<string, FormField>();
  if (typeof objects !== 'object' || objects === null) return fields;
  for (const [name, all] of Object.entries(objects).slice(0, MOST_FIELDS)) {
    const read = (Array.isArray(all) ? all : []).flatMap((one: unknown) => {
      const field = v.safeParse(told, one);
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

/** What pdf.js is to be told that a widget shows where its field holds a value. */
export function widgetValue({ kind, ticked }: FieldWidget, value: FieldValue): boolean | FieldValue {
  return kind === 'tick' ? value === ticked : value;
}
