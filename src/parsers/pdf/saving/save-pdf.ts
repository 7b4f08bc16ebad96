import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { AnnotationsRequest, SavedPdf } from '../../api.ts';
import { readFileBytes } from '../../read-file-bytes.ts';
import { fillForm } from './fill-form.ts';
import { withFileBytes } from './open-bytes.ts';
import { saveAnnotations } from './save-annotations.ts';

/**
 * Returns the bytes to append to a PDF to change its form and annotations. Reads the whole file only to change a form.
 * @throws NotebookError
 */
export async function savePdf({
  content,
  name,
  changes,
  fields,
  isOverwriting,
}: AnnotationsRequest): Promise<SavedPdf> {
  const date = new Date();
  if (fields.length === 0) {
    const saved = await withFileBytes(content, name, (bytes) => saveAnnotations(bytes, changes, name, date));
    return { ...saved, conflicts: [] };
  }
  const whole = await wholeFile(content, name);
  const { tail, conflicts } = await fillForm(whole, fields, { name, isOverwriting });
  if (conflicts.length > 0) return { tail, refs: {}, conflicts };
  const filled = Buffer.concat([whole, tail]);
  const file = {
    length: filled.length,
    read: (begin: number, end: number): Uint8Array => filled.subarray(begin, end),
  };
  const saved = saveAnnotations(file, changes, name, date);
  return { tail: new Uint8Array(Buffer.concat([tail, saved.tail])), refs: saved.refs, conflicts };
}

async function wholeFile(content: AnnotationsRequest['content'], name: string): Promise<Uint8Array> {
  if (content.kind === 'bytes') return content.bytes;
  const { bytes, byteLength } = await readFileBytes(content.path, name);
  if (bytes.length < byteLength)
    throw new NotebookError(
      'too-large',
      t('Can’t save the form because {0} is too large. Fill in the form with another program.', name),
    );
  return bytes;
}
