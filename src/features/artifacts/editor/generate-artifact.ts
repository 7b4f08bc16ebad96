import * as vscode from 'vscode';
import type { GenerationProgress, WrittenNote } from '../store/artifacts-api.ts';
import { NotebookError, unlessCanceled } from '../../../core/domain/errors.ts';
import { noteTitle } from '../../../core/domain/note.ts';
import type { Source } from '../../../core/domain/source.ts';
import type { Template } from '../../../core/domain/template.ts';
import type { UnfinishedWriting } from '../../../core/domain/writing.ts';
import {
  STUDY_ARTIFACTS,
  MAP_ARTIFACTS,
  NOTE_ARTIFACTS,
  type StudyArtifactKind,
  TABLE_ARTIFACTS,
  type MapArtifactKind,
  type NoteArtifactKind,
  type ArtifactScope,
  type ArtifactKind,
  type TableArtifactKind,
} from '../../../core/domain/artifact.ts';
import { artifactLabels } from '../model/names.ts';
import { showNote } from '../../chat/editor/save-as-note.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ScopeChoice } from '../../sources/editor/scope-choice.ts';
import { withNotification, documentsDone, showInformation } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

const ICONS: Readonly<Record<ArtifactKind, string>> = {
  mindMap: 'type-hierarchy-sub',
  conceptMap: 'references',
  matrix: 'table',
  glossary: 'book',
  timeline: 'history',
  index: 'list-ordered',
  tables: 'table',
  cloze: 'symbol-string',
  slides: 'preview',
  cards: 'mortar-board',
  quiz: 'question',
};

/** Artifact that the user wants to generate. */
export interface ArtifactRequest extends ArtifactScope {
  readonly artifact: ArtifactKind;
  /** Title: its kind, and its source or the number of its sources. */
  readonly title: string;
}

/** Generates a deck or a quiz, and shows it. @throws NotebookError `empty` */
export type GenerateStudyArtifact = (
  wish: ArtifactRequest & { readonly artifact: StudyArtifactKind },
) => Promise<void>;

/** Creates an extraction table of sources, after asking what its rows are, and shows it. */
export type GenerateTable = (wish: ArtifactRequest, sources: readonly Source[]) => Promise<void>;

/** Artifacts that a model can write. */
interface Writable {
  readonly templates: readonly Template[];
  readonly unfinished: readonly UnfinishedWriting[];
  /** Name of the model that writes; undefined if none is picked. */
  readonly model: string | undefined;
}

/** Choice of the user: an artifact without a model, one from a template, or the continuation of unfinished writing. */
type GenerationRequest =
  | { readonly kind: 'artifact'; readonly wish: ArtifactRequest }
  | {
      readonly kind: 'template';
      readonly template: Template;
      readonly title: string;
      readonly sourceIds: ArtifactScope['sourceIds'];
    }
  | { readonly kind: 'goOn'; readonly unfinished: UnfinishedWriting }
  | { readonly kind: 'newTemplate' };

/** Asks what to generate from some sources; undefined if the user cancels. */
export async function pickArtifact(
  chosen: readonly Pick<Source, 'id' | 'title'>[],
  allSources: readonly Source[],
  scopes: Pick<ScopeChoice, 'isPartlyIncluded'>,
  { templates, unfinished, model }: Writable,
): Promise<GenerationRequest | undefined> {
  const sources = chosen.length > 0 ? chosen : allSources.filter(({ id }) => scopes.isPartlyIncluded(id));
  const isAll = chosen.length === 0 && sources.length === allSources.length;
  const [first] = sources;
  const of = sources.length === 1 && first !== undefined ? first.title : undefined;
  const named = of?.replace(/\.\w{1,5}$/, '');
  const sourceIds = isAll ? undefined : sources.map(({ id }) => id);
  const about = named ?? vscode.l10n.t('{0} sources', sources.length);
  const artifactTitle = (name: string): string => `${name} – ${about}`;
  interface Item extends vscode.QuickPickItem {
    readonly request: GenerationRequest;
  }
  const item = (kind: ArtifactKind): Item => {
    const { name, is } = artifactLabels(kind);
    const wish = { artifact: kind, title: artifactTitle(name), sourceIds };
    return {
      label: name,
      detail: is,
      iconPath: new vscode.ThemeIcon(ICONS[kind]),
      request: { kind: 'artifact', wish },
    };
  };
  const templateItem = (template: Template): Item => ({
    label: literalText(template.title),
    description: model === undefined ? vscode.l10n.t('requires a model') : '',
    detail: literalText(template.description),
    iconPath: new vscode.ThemeIcon('sparkle'),
    request: { kind: 'template', template, title: artifactTitle(template.title), sourceIds },
  });
  const unfinishedItem = (writing: UnfinishedWriting): Item => ({
    label: literalText(writing.title),
    detail: vscode.l10n.t('Saved parts: {0} of {1}.', writing.done, writing.total),
    iconPath: new vscode.ThemeIcon('debug-continue'),
    request: { kind: 'goOn', unfinished: writing },
  });
  const separator = (label: string): vscode.QuickPickItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const picked = await vscode.window.showQuickPick<Item | vscode.QuickPickItem>(
    [
      ...(unfinished.length > 0
        ? [separator(vscode.l10n.t('Resume')), ...unfinished.map(unfinishedItem)]
        : []),
      separator(vscode.l10n.t('Views')),
      ...MAP_ARTIFACTS.map(item),
      ...TABLE_ARTIFACTS.map(item),
      separator(vscode.l10n.t('Notes')),
      // Without a model, too many sentences on slides make no sense alone. The templates include slides by a model.
      ...NOTE_ARTIFACTS.filter((artifact) => artifact !== 'slides').map(item),
      separator(vscode.l10n.t('Study')),
      ...STUDY_ARTIFACTS.map(item),
      separator(
        model === undefined
          ? vscode.l10n.t('Written by a language model')
          : vscode.l10n.t('Written by {0}', model),
      ),
      ...templates.map(templateItem),
      {
        label: vscode.l10n.t('New Template…'),
        detail: vscode.l10n.t('A Markdown file with instructions for a model'),
        iconPath: new vscode.ThemeIcon('new-file'),
        request: { kind: 'newTemplate' },
      },
    ],
    {
      title:
        of === undefined
          ? vscode.l10n.t('Generate from {0} Sources', sources.length)
          : vscode.l10n.t('Generate from {0}', of),
      placeHolder: vscode.l10n.t('Select what to generate'),
      matchOnDetail: true,
    },
  );
  return picked !== undefined && 'request' in picked ? picked.request : undefined;
}

/** Reports whether an artifact is a map, which is shown in a view. */
export function isMap(kind: ArtifactKind): kind is MapArtifactKind {
  return MAP_ARTIFACTS.some((artifact) => artifact === kind);
}

/** Reports whether an artifact is used for study. */
export function isLearning(kind: ArtifactKind): kind is StudyArtifactKind {
  return STUDY_ARTIFACTS.some((artifact) => artifact === kind);
}

/** Reports whether an artifact is a table, which is filled in a view. */
export function isTable(kind: ArtifactKind): kind is TableArtifactKind {
  return TABLE_ARTIFACTS.some((artifact) => artifact === kind);
}

/** Runs work with progress that can be canceled; undefined if it was canceled. */
export async function withGenerationProgress<T>(
  title: string,
  work: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: GenerationProgress) => void;
  }) => Promise<T>,
): Promise<T | undefined> {
  return await unlessCanceled(
    withNotification(title, (signal, report) =>
      work({ signal, onProgress: (progress) => report(...documentsDone(progress)) }),
    ),
  );
}

/**
 * Writes a note and opens it. If the sources have too little for it, says so and offers to have a model write it, by
 * `writeInstead`. @throws NotebookError `empty` without that
 */
export async function makeNote(
  notebook: NotebookClient,
  { artifact, title, sourceIds }: ArtifactRequest & { readonly artifact: NoteArtifactKind },
  writeInstead?: () => Promise<void>,
): Promise<void> {
  let written: WrittenNote | undefined;
  try {
    written = await withGenerationProgress(vscode.l10n.t('Generating “{0}”', title), (options) =>
      notebook.call('writeArtifact', { artifact, sourceIds }, options),
    );
  } catch (error) {
    if (writeInstead === undefined || !(error instanceof NotebookError) || error.code !== 'empty')
      throw error;
    const label = vscode.l10n.t('Generate with a Model');
    void showInformation(error.message, [label]).then((chosen) =>
      chosen === label ? writeInstead() : undefined,
    );
    return;
  }
  if (written === undefined) return;
  const { text, citations, documents } = written;
  const note = await notebook.call('addNote', { title: noteTitle(title), text, citations });
  const generated = { kind: artifact, sourceIds, documents, text, generatedAt: Date.now() };
  await notebook.call('saveGeneratedNote', { title: note.title, generated });
  await showNote(notebook, note.title, 'start');
}
