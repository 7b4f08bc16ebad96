import { t } from '@vscode/l10n';
import { formFields, widgetValue } from '../../../core/domain/form-fields.ts';
import { isSameValue, type FieldEdit } from '../../../core/domain/form-states.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { loadPdf } from '../engine.ts';

/** Changes to a PDF's form. */
interface FilledForm {
  /** Bytes to append to the file; empty if nothing changes. */
  readonly tail: Uint8Array;
  /** Fields that changed in the file since the user edited them. If there are any, no field is filled in. */
  readonly conflicts: readonly string[];
}

/**
 * Returns the bytes to append to a PDF to change its field values and their appearance, which pdf.js writes.
 * @throws NotebookError `unsupported` if the file can't hold the values, `conflict` if a field no longer exists
 */
export async function fillForm(
  bytes: Uint8Array,
  changes: readonly FieldEdit[],
  { name, isOverwriting }: { readonly name: string; readonly isOverwriting: boolean },
): Promise<FilledForm> {
  const task = await loadPdf(bytes);
  try {
    const pdf = await task.promise;
    const fields = formFields(await pdf.getFieldObjects());
    const conflicts: string[] = [];
    for (const { field, before, after } of changes) {
      const formField = fields.get(field);
      if (formField === undefined)
        throw new NotebookError(
          'conflict',
          t(
            'Nothing was saved because {0} has changed and no longer has the field “{1}”. Undo your change to this field.',
            name,
            field,
          ),
        );
      // For a list, the file provides only the first selected value.
      const then = formField.widgets[0]?.kind === 'choice' ? ([before].flat()[0] ?? '') : before;
      const value = formField.widgets[0]?.kind === 'choice' ? ([after].flat()[0] ?? '') : after;
      if (!isSameValue(formField.value, then) && !isSameValue(formField.value, value)) conflicts.push(field);
      for (const widget of formField.widgets)
        pdf.annotationStorage.setValue(widget.id, { value: widgetValue(widget, after) });
    }
    if (conflicts.length > 0 && !isOverwriting) return { tail: new Uint8Array(), conflicts };
    const filled = await pdf.saveDocument();
    if (Buffer.compare(filled.subarray(0, bytes.length), bytes) !== 0)
      throw new Error('The PDF was rewritten instead of appended to.');
    return { tail: filled.slice(bytes.length), conflicts: [] };
  } catch (cause) {
    if (cause instanceof NotebookError) throw cause;
    throw new NotebookError(
      'unsupported',
      t('Can’t save {0} because its form is damaged. Fill in the form with another program.', name),
      { cause },
    );
  } finally {
    await task.destroy();
  }
}
