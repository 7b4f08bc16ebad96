import * as vscode from 'vscode';
import type { NotebookClient } from './notebook-client.ts';
import type { ModelChoice } from '../core/domain/model-choice.ts';
import { passageSettings, tokensPerAnswer } from './settings.ts';
import { number } from './shown-number.ts';
import { showMarkdown } from './dialogs.ts';

/** Opens a document about the state of the notebook's index: counts, sizes, times, and settings, but no content. */
export async function showDiagnostics(
  notebook: NotebookClient,
  model: ModelChoice,
  extensionVersion: string,
): Promise<void> {
  const [statistics, sources] = await Promise.all([
    notebook.call('statistics', {}),
    notebook.call('sources', {}),
  ]);
  const states = Map.groupBy(sources, ({ state }) => state.kind);
  const { size, overlap } = passageSettings();
  const rows: readonly (readonly [string, string])[] = [
    ['Extension', extensionVersion],
    ['Editor', `${vscode.env.appName} ${vscode.version}`],
    ['Platform', `${process.platform} ${process.arch}, Node ${process.versions.node}`],
    ['Sources', number(statistics.sources)],
    ...[...states].map(([kind, { length }]) => [`Sources in the state “${kind}”`, number(length)] as const),
    ['Documents', number(statistics.documents)],
    ['Passages', number(statistics.passages)],
    ['Terms', number(statistics.terms)],
    ['Passages with embeddings', number(statistics.vectors)],
    ['Embeddings in memory', megabytes(statistics.vectorBytes)],
    ['Database', megabytes(statistics.databaseBytes)],
    ['Snapshot of the index', megabytes(statistics.snapshotBytes)],
    ['Heap of the index process', megabytes(statistics.heapBytes)],
    ['Revision', number(statistics.revision)],
    ['Revision of the snapshot', number(statistics.snapshotRevision)],
    ['Time to open', milliseconds(statistics.openTime)],
    ['Searches since opening', number(statistics.questions)],
    ['Time of the last search', milliseconds(statistics.lastQuestionTime)],
    ['Passage size and overlap', `${number(size)} and ${number(overlap)} characters`],
    [
      'Tokens from sources per answer',
      tokensPerAnswer() === undefined ? 'depends on the model' : number(tokensPerAnswer() ?? 0),
    ],
    ['Answers', model.kind === 'quotes' ? 'excerpts only' : `written by a model from “${model.kind}”`],
    ['Last error', notebook.lastError ?? 'none'],
  ];
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  await showMarkdown(`# Open Notebook index\n\n| | |\n|---|---|\n${table}\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 })} MB`;
}

function milliseconds(time: number | undefined): string {
  return time === undefined
    ? 'none'
    : `${time.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 })} ms`;
}
