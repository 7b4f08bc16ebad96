import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { EventBus } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import {
  formFields,
  widgetValue,
  type FieldWidget,
  type FormField,
} from '../../src/core/domain/form-fields.ts';
import {
  isSameValue,
  type FieldEdit,
  type FieldValue,
  type FilledFields,
} from '../../src/core/domain/form-states.ts';

/** Delay after the last key before typed text becomes an edit, in milliseconds. */
const SETTLES_AFTER = 600;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Matches the controls of a form. Links have similar IDs. */
const CONTROLS = '.annotationLayer :is(input, textarea, select)[data-element-id]';

/** Fields of a form, which pdf.js renders on the pages. */
export class PageFields {
  readonly #container: HTMLElement;
  readonly #pdf: PDFDocumentProxy;
  readonly #onEdit: (edit: FieldEdit) => void;
  #fields = new Map<string, FormField>();
  /** Values of fields that differ from the file. */
  #values = new Map<string, FieldValue>();
  #isLocked = false;
  #typing: { readonly control: Control; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(
    container: HTMLElement,
    pdf: PDFDocumentProxy,
    eventBus: EventBus,
    onEdit: (edit: FieldEdit) => void,
  ) {
    this.#container = container;
    this.#pdf = pdf;
    this.#onEdit = onEdit;
    eventBus.on('annotationlayerrendered', ({ pageNumber }: { readonly pageNumber: number }) => {
      this.#show(container.querySelector(`.page[data-page-number="${String(pageNumber)}"]`) ?? container);
    });
    container.addEventListener('input', ({ target }) => {
      const control = toControl(target);
      if (control === undefined) return;
      if (control instanceof HTMLSelectElement || isTick(control)) this.#report(control);
      else this.#wait(control);
    });
    container.addEventListener('change', ({ target }) => {
      const control = toControl(target);
      if (control !== undefined) this.#report(control);
    });
    // A reset button empties the fields after this event.
    const reset = ({ target }: Event): void => {
      const control = toControl(target);
      if (control !== undefined)
        setTimeout(() => {
          this.#report(control);
        });
    };
    container.addEventListener('resetform', reset, { capture: true });
  }

  /** Reads the form and returns the number of its fields. */
  async load(): Promise<number> {
    this.#fields = formFields(await this.#pdf.getFieldObjects());
    this.#show(this.#container);
    return this.#fields.size;
  }

  /** Applies values that differ from the file. */
  take(filled: FilledFields): void {
    const before = this.#values;
    this.#values = new Map(filled);
    for (const field of new Set([...before.keys(), ...this.#values.keys()]))
      this.#put(field, this.#container);
  }

  /** Disables all fields. */
  lock(): void {
    this.#isLocked = true;
    this.#show(this.#container);
  }

  /** Turns typed text into an edit. */
  flush(): void {
    if (this.#typing !== undefined) this.#report(this.#typing.control);
  }

  #wait(control: Control): void {
    clearTimeout(this.#typing?.timer);
    if (this.#typing !== undefined && this.#typing.control !== control) this.flush();
    const timer = setTimeout(() => {
      this.#report(control);
    }, SETTLES_AFTER);
    this.#typing = { control, timer };
  }

  #report(control: Control): void {
    if (this.#typing?.control === control) {
      clearTimeout(this.#typing.timer);
      this.#typing = undefined;
    }
    const fieldOfControl = this.#findField(control);
    if (fieldOfControl === undefined) return;
    const [name, field, widget] = fieldOfControl;
    const before = this.#values.get(name) ?? valueInFile(control, field);
    const after = valueIn(control, widget);
    if (after === undefined || isSameValue(before, after)) return;
    this.#values.set(name, after);
    this.#put(name, this.#container);
    this.#onEdit({ field: name, before, after });
  }

  #findField(control: Control): readonly [string, FormField, FieldWidget] | undefined {
    const field = this.#fields.get(control.name);
    const widget = field?.widgets.find(({ id }) => id === control.dataset['elementId']);
    return field && widget && [control.name, field, widget];
  }

  /** Shows the current values in the fields of a page, which pdf.js renders with the values of the file. */
  #show(page: Element): void {
    for (const control of page.querySelectorAll<Control>(CONTROLS)) {
      // The form's own label is next to the control, where screen readers don't look.
      const title = control.closest('section')?.title ?? '';
      control.ariaLabel = title === '' ? control.name : title;
      if (this.#isLocked) control.disabled = true;
    }
    for (const field of this.#values.keys()) this.#put(field, page);
  }

  #put(name: string, within: Element): void {
    const field = this.#fields.get(name);
    if (field === undefined) return;
    const value = this.#values.get(name) ?? field.value;
    for (const widget of field.widgets) {
      // Printing uses these values.
      this.#pdf.annotationStorage.setValue(widget.id, { value: widgetValue(widget, value) });
      const control = within.querySelector<Control>(`[data-element-id="${CSS.escape(widget.id)}"]`);
      if (control !== null && control !== this.#typing?.control) putIn(control, widget, value);
    }
  }
}

function toControl(target: EventTarget | null): Control | undefined {
  const isControl =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  return isControl && target.dataset['elementId'] !== undefined ? target : undefined;
}

function isTick(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');
}

/** Returns the value of a field in the file, which contains only one choice of a list. */
function valueInFile(control: Control, { value }: FormField): FieldValue {
  if (!(control instanceof HTMLSelectElement && control.multiple)) return value;
  return [...control.options].flatMap((option) => (option.defaultSelected ? [option.value] : []));
}

/** Returns the value of a field from one of its controls; undefined if that control doesn't determine it. */
function valueIn(control: Control, { ticked }: FieldWidget): FieldValue | undefined {
  if (isTick(control)) return control.checked ? ticked : control.type === 'radio' ? undefined : 'Off';
  if (!(control instanceof HTMLSelectElement)) return control.value;
  const chosen = [...control.selectedOptions].map(({ value }) => value);
  return control.multiple ? chosen : chosen[0];
}

function putIn(control: Control, { ticked }: FieldWidget, value: FieldValue): void {
  if (isTick(control)) control.checked = value === ticked;
  else if (control instanceof HTMLSelectElement) {
    const chosen = [value].flat();
    for (const option of control.options) option.selected = chosen.includes(option.value);
  } else if (typeof value === 'string' && control.value !== value) control.value = value;
}
