import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AnnotationChange, AnnotationEdit } from '../../../core/domain/annotation.ts';
import { annotationsByKey } from '../../../core/domain/stored-annotations.ts';
import { AnnotationStates, type AnnotationBackup } from '../model/annotation-states.ts';
import { filledFields, FormStates, type FieldEdit } from '../../../core/domain/form-states.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { isPictureName } from '../../../core/domain/media-types.ts';
import type { Savable } from '../../../parsers/pdf/saving/save-annotations.ts';
import { Emitter } from '../../../platform/emitter.ts';
import { lastSegment, readContent } from '../../../platform/workspace-files.ts';
import { copyTo, writeAt } from '../../../platform/write-file.ts';
import { appendToFile, fileState, isWritable } from './append-to-file.ts';
import type { PdfParts } from './pdf-parts.ts';
import { inform, offer, showWarning } from '../../../platform/dialogs.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Maximum number of fields that are named in a question. */
const MAX_NAMED_FIELDS = 8;

/** Location where the annotations of a PDF are saved, with a reason if it isn't the file. */
type Place =
  | { readonly kind: 'file'; readonly isSigned: boolean }
  | {
      readonly kind: 'notebook';
      readonly reason: 'picture' | 'copy' | 'read-only' | 'encrypted' | 'damaged';
    }
  /** `mayBeFilledIn`: its form can still be saved in the file. */
  | { readonly kind: 'notebook'; readonly reason: 'forbidden'; readonly mayBeFilledIn: boolean };

/** Problem with filling in a form; `isLocked` if the entries can't be used at all. */
interface FormProblem {
  readonly message: string;
  readonly isLocked: boolean;
}

interface Backup extends AnnotationBackup {
  readonly form: FormStates['backup'];
}

/** Open PDF with its current annotations. Unsaved changes are stored in backups. */
export class PdfDocument extends Disposable implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly states = new AnnotationStates();
  readonly form = new FormStates();
  readonly #parts: PdfParts;
  readonly #changed = this._register(new Emitter<undefined>());
  readonly #written = this._register(new Emitter<undefined>());
  #place: Promise<Place> | undefined;
  #isPlaceReported = false;
  #wasSharingOffered = false;
  #endsSignature = false;
  /** `true` if unsaved changes were restored that the editor doesn't know of. */
  isRestored = false;
  /** ID of the latest backup. */
  #backedUp = '';
  #saving: Promise<void> = Promise.resolve();
  /** Makes the viewer report its pending edits. */
  flush: () => Promise<void> = () => Promise.resolve();

  private constructor(uri: vscode.Uri, parts: PdfParts) {
    super();
    this.uri = uri;
    this.#parts = parts;
  }

  /** Opens a PDF with the changes from a backup, or else with the annotations in the notebook. */
  static async open(uri: vscode.Uri, backupId: string | undefined, parts: PdfParts): Promise<PdfDocument> {
    const document = new PdfDocument(uri, parts);
    // In a browser, VS Code may reopen an editor without the ID of its backup. So unsaved changes are also stored by
    // the PDF's name.
    const named = backupId === undefined ? undefined : await readBackup(vscode.Uri.parse(backupId));
    const backup = named ?? (await readBackup(document.#unsaved));
    document.isRestored = named === undefined && backup !== undefined;
    if (backup !== undefined) {
      document.states.restore(backup);
      document.form.restore(backup.form);
    } else {
      // The PDF is shown even without a notebook.
      const storedAnnotations = await document.#storedUri
        .then((name) => parts.notebook.call('storedAnnotations', { uri: name }))
        .catch(() => []);
      document.states.restore({ current: storedAnnotations, inFile: storedAnnotations, refs: {} });
    }
    return document;
  }

  /** Fires when annotations were undone, redone, saved, or reverted. */
  readonly onChanged = this.#changed.event;

  /** Fires when we wrote the file. */
  readonly onWritten = this.#written.event;

  get #name(): string {
    return lastSegment(this.uri);
  }

  /** Changes an annotation. The first change shows a message if annotations aren't saved in the file. */
  edit(edit: AnnotationEdit): vscode.CustomDocumentEditEvent<PdfDocument> {
    if (!this.#isPlaceReported) void this.#reportPosition();
    this.#isPlaceReported = true;
    return this.#edit(this.states, edit, editLabel(edit));
  }

  /** Fills in a field of the form. */
  fillIn(edit: FieldEdit): vscode.CustomDocumentEditEvent<PdfDocument> {
    return this.#edit(this.form, edit, vscode.l10n.t('Fill In Form'));
  }

  #edit<E>(
    states: { apply(edit: E): void; undo(edit: E): void },
    edit: E,
    label: string,
  ): vscode.CustomDocumentEditEvent<PdfDocument> {
    states.apply(edit);
    const change = (act: () => void) => (): void => {
      act();
      this.#changed.fire(undefined);
    };
    return {
      document: this,
      label,
      undo: change(() => states.undo(edit)),
      redo: change(() => states.apply(edit)),
    };
  }

  /** Returns the problem that prevents filling in the form. @throws NotebookError */
  async formProblem(): Promise<FormProblem | undefined> {
    const place = await this.#knownPlace();
    if (place.kind === 'file' || (place.reason === 'forbidden' && place.mayBeFilledIn)) return undefined;
    const isLocked = place.reason !== 'copy' && place.reason !== 'read-only';
    return { message: explainPasswordNeed(place.reason, this.#name).form, isLocked };
  }

  /** Handles a change of the file by another program. Unsaved changes apply to the new version. */
  fileChanged(): void {
    this.#place = undefined;
  }

  /** Resolves once no save is running: VS Code then considers all edits reported until then as saved. */
  get saved(): Promise<void> {
    // The caller of the save gets the error.
    return this.#saving.catch(() => undefined);
  }

  /** @throws NotebookError */
  async save(): Promise<void> {
    await this.flush();
    this.#saving = this.saved.then(() => this.#save());
    await this.#saving;
  }

  async #save(): Promise<void> {
    // Edits that are undone meanwhile must be saved, too.
    while (!this.isSaved) {
      const place = await this.#knownPlace();
      if (place.kind === 'file') await this.#saveInFile(place.isSigned, this.states.changes());
      else {
        if (this.states.changes().length > 0) await this.#keepInNotebook();
        if (this.form.changes().length === 0) continue;
        if (place.reason !== 'forbidden' || !place.mayBeFilledIn)
          throw new NotebookError('unsupported', explainPasswordNeed(place.reason, this.#name).form);
        await this.#saveInFile(true, []);
      }
    }
    this.isRestored = false;
    await this.#forgetUnsaved();
    this.#changed.fire(undefined);
  }

  /** Saves a copy with all annotations in it. @throws NotebookError */
  async saveAs(target: vscode.Uri): Promise<void> {
    const place = await this.#knownPlace();
    const isAble = place.kind === 'file' || place.reason === 'read-only' || place.reason === 'copy';
    if (isAble)
      await this.#writeTo(
        target,
        this.states.listChangesForCopy(place.kind === 'notebook'),
        this.form.changes(),
      );
    else {
      await copyTo(this.uri, target);
      await this.#parts.notebook.call('keepAnnotations', {
        uri: target.toString(),
        annotations: this.states.current,
      });
    }
  }

  /** Reports whether there are no unsaved changes. */
  get isSaved(): boolean {
    return this.states.changes().length === 0 && this.form.changes().length === 0;
  }

  /**
   * Returns a file with the annotations for other programs: this file, or a copy if the annotations are stored in the
   * notebook.
   * @throws NotebookError
   */
  async forOtherPrograms(): Promise<vscode.Uri> {
    const place = await this.#knownPlace();
    const isCopied = place.kind === 'notebook' && (place.reason === 'copy' || place.reason === 'read-only');
    if (!isCopied || this.states.current.length === 0) return this.uri;
    const target = vscode.Uri.joinPath(
      vscode.Uri.file(await mkdtemp(join(tmpdir(), 'open-notebook-'))),
      this.#name,
    );
    await this.#writeTo(target, this.states.listChangesForCopy(true), []);
    return target;
  }

  async revert(): Promise<void> {
    this.states.revert();
    this.form.revert();
    this.isRestored = false;
    this.#changed.fire(undefined);
    await this.#forgetUnsaved();
  }

  async backUp(target: vscode.Uri): Promise<vscode.CustomDocumentBackup> {
    const bytes = new TextEncoder().encode(
      JSON.stringify(storedBackup({ ...this.states.backup, form: this.form.backup })),
    );
    for (const place of [target, this.#unsaved]) {
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(place, '..'));
      await writeAt(place, bytes);
    }
    const id = target.toString();
    this.#backedUp = id;
    return {
      id,
      delete: () => {
        void vscode.workspace.fs.delete(target).then(undefined, () => undefined);
        if (this.#backedUp === id) void this.#forgetUnsaved();
      },
    };
  }

  /** Returns the identifier in the notebook: the URL if the file is a copy, because copies may be deleted. */
  get #storedUri(): Promise<string> {
    return this.#parts.webAddress(this.uri).then((address) => address ?? this.uri.toString());
  }

  get #unsaved(): vscode.Uri {
    const name = createHash('sha256').update(this.uri.toString()).digest('hex').slice(0, 32);
    return vscode.Uri.joinPath(this.#parts.unsaved, `${name}.json`);
  }

  async #forgetUnsaved(): Promise<void> {
    // The file doesn't exist if nothing was backed up.
    await vscode.workspace.fs.delete(this.#unsaved).then(undefined, () => undefined);
  }

  async #saveInFile(isSigned: boolean, changes: readonly AnnotationChange[]): Promise<void> {
    if (isSigned && !this.#endsSignature) {
      const save = vscode.l10n.t('Save');
      const answer = await showWarning(
        vscode.l10n.t('{0} is signed. Saving changes invalidates its signature. Save anyway?', this.#name),
        [save],
        { modal: true },
      );
      if (answer !== save) throw new NotebookError('cancelled', vscode.l10n.t('Nothing was saved.'));
      this.#endsSignature = true;
    }
    const fields = this.form.changes();
    const refs = await this.#writeTo(this.uri, changes, fields);
    if (refs === undefined) return;
    this.states.markSaved(changes, refs);
    this.form.markSaved(fields);
    this.#written.fire(undefined);
  }

  /** Asks whether to overwrite fields that another program filled in meanwhile. @throws NotebookError `cancelled` */
  async #asksToOverwrite(conflicts: readonly string[]): Promise<boolean> {
    const [mine, theirs] = [vscode.l10n.t('Save My Values'), vscode.l10n.t('Keep Existing Values')];
    const answer = await showWarning(
      vscode.l10n.t(
        'Another program changed fields in {0} that you also filled in: {1}. Which values do you want to save?',
        this.#name,
        conflicts.slice(0, MAX_NAMED_FIELDS).join(', '),
      ),
      [mine, theirs],
      { modal: true },
    );
    if (answer === undefined) throw new NotebookError('cancelled', vscode.l10n.t('Nothing was saved.'));
    return answer === mine;
  }

  async #keepInNotebook(): Promise<void> {
    const changes = this.states.changes();
    const uri = await this.#storedUri;
    const arePrivate = await this.#parts.notebook.call('keepAnnotations', {
      uri,
      annotations: this.states.current,
    });
    this.states.markSaved(changes, {});
    // The document's text goes to the team, so private highlights stay out of it.
    if (arePrivate) void this.#offerToShare(uri);
    else this.#parts.onMarksSaved(uri, this.uri);
  }

  async #offerToShare(uri: string): Promise<void> {
    if (this.#wasSharingOffered) return;
    this.#wasSharingOffered = true;
    await offer(
      vscode.l10n.t(
        'Your highlights in {0} are private. Other members of the team don’t see them.',
        this.#name,
      ),
      vscode.l10n.t('Share Highlights'),
      async () => {
        await this.#parts.notebook.call('shareAnnotations', { uri });
        this.#parts.onMarksSaved(uri, this.uri);
      },
    );
  }

  /**
   * Writes the file with the unsaved changes appended. Returns the names of the written objects, or undefined if the
   * user discarded field values instead, so that fewer changes are left.
   */
  async #writeTo(
    target: vscode.Uri,
    changes: readonly AnnotationChange[],
    fields: readonly FieldEdit[],
    isOverwriting = false,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const name = this.#name;
    const { scheme, fsPath: from } = this.uri;
    const isLocal = scheme === 'file' && target.scheme === 'file';
    const state = isLocal ? await fileState(from) : undefined;
    const content = await readContent(this.uri);
    const { tail, refs, conflicts } = await this.#parts.readers.saveAnnotations({
      content,
      name,
      changes,
      fields,
      isOverwriting,
    });
    if (conflicts.length > 0) {
      if (await this.#asksToOverwrite(conflicts)) return this.#writeTo(target, changes, fields, true);
      this.form.forget(conflicts);
      return undefined;
    }
    if (state !== undefined) await appendToFile({ from, to: target.fsPath, state, name }, tail);
    else {
      const whole = content.kind === 'bytes' ? content.bytes : await vscode.workspace.fs.readFile(this.uri);
      await writeAt(target, Buffer.concat([whole, tail]));
    }
    return refs;
  }

  async #reportPosition(): Promise<void> {
    // Saving reports a file that can't be read.
    const place = await this.#knownPlace().catch(() => undefined);
    if (place?.kind !== 'notebook') return;
    inform(explainPasswordNeed(place.reason, this.#name).highlights);
  }

  #knownPlace(): Promise<Place> {
    this.#place ??= this.#findPlace().catch((error: unknown) => {
      this.#place = undefined;
      throw error;
    });
    return this.#place;
  }

  async #findPlace(): Promise<Place> {
    const { uri } = this;
    if (isPictureName(uri.path)) return { kind: 'notebook', reason: 'picture' };
    if ((await this.#parts.webAddress(uri)) !== undefined) return { kind: 'notebook', reason: 'copy' };
    const isWritten =
      uri.scheme === 'file'
        ? await isWritable(uri.fsPath)
        : vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
    if (!isWritten) return { kind: 'notebook', reason: 'read-only' };
    const savable: Savable = await this.#parts.readers.savableAnnotations({
      content: await readContent(uri),
      name: this.#name,
    });
    return savable.kind === 'yes'
      ? { kind: 'file', isSigned: savable.isSigned }
      : { ...savable, kind: 'notebook' };
  }
}

function editLabel({ before, after }: AnnotationEdit): string {
  if (before === null) return vscode.l10n.t('Add Highlight');
  return after === null ? vscode.l10n.t('Remove Highlight') : vscode.l10n.t('Change Highlight');
}

/**
 * Explains why annotations and form entries can't be saved in a file: where highlights are stored, and what to do about
 * a form.
 */
function explainPasswordNeed(
  reason: Extract<Place, { kind: 'notebook' }>['reason'],
  name: string,
): { readonly highlights: string; readonly form: string } {
  switch (reason) {
    case 'picture':
    case 'damaged':
      return {
        highlights:
          reason === 'picture'
            ? vscode.l10n.t('{0} is an image, so its highlights are saved in the notebook.', name)
            : vscode.l10n.t('{0} is damaged, so its highlights are saved in the notebook.', name),
        form: vscode.l10n.t('{0} is damaged, so you can’t fill in its form here.', name),
      };
    case 'copy':
      return {
        highlights: vscode.l10n.t(
          '{0} is a copy of a PDF from the web, so its highlights are saved in the notebook.',
          name,
        ),
        form: vscode.l10n.t(
          '{0} is a copy of a PDF from the web. To save what you fill in, create your own copy with “Save As…”.',
          name,
        ),
      };
    case 'read-only':
      return {
        highlights: vscode.l10n.t('{0} is read-only, so its highlights are saved in the notebook.', name),
        form: vscode.l10n.t(
          '{0} is read-only. To save what you fill in, create a copy with “Save As…”.',
          name,
        ),
      };
    case 'encrypted':
      return {
        highlights: vscode.l10n.t('{0} is encrypted, so its highlights are saved in the notebook.', name),
        form: vscode.l10n.t(
          '{0} is encrypted, so you can’t fill in its form here. Save a copy without a password first.',
          name,
        ),
      };
    case 'forbidden':
      return {
        highlights: vscode.l10n.t(
          '{0} is signed and doesn’t allow changes, so its highlights are saved in the notebook.',
          name,
        ),
        form: vscode.l10n.t('{0} is signed and doesn’t allow changes, so you can’t fill in its form.', name),
      };
  }
}

const backup = v.pipe(
  v.object({
    wanted: annotationsByKey,
    inFile: annotationsByKey,
    refs: v.record(v.string(), v.string()),
    form: v.optional(v.object({ wanted: filledFields, inFile: filledFields }), { wanted: [], inFile: [] }),
  }),
  v.transform(({ wanted: current, form, ...others }): Backup => ({
    ...others,
    current,
    form: { current: form.wanted, inFile: form.inFile },
  })),
);

/** Returns a backup with the keys of its file, which earlier versions also read. */
function storedBackup({ current, form, ...others }: Backup): object {
  return { ...others, wanted: current, form: { wanted: form.current, inFile: form.inFile } };
}

/** Returns undefined if the backup is missing or damaged; the file is then shown unchanged. */
async function readBackup(uri: vscode.Uri): Promise<Backup | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const read = v.safeParse(backup, JSON.parse(new TextDecoder().decode(bytes)));
    return read.success ? read.output : undefined;
  } catch {
    // A damaged backup can't be restored.
    return undefined;
  }
}
