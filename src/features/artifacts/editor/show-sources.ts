import * as vscode from 'vscode';
import { involvesSource, type SourceDrift } from '../../../core/domain/artifact.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Maximum number of sources that are named at the top of an artifact. */
const MAX_NAMED_SOURCES = 5;

/** Returns the titles of sources, all of them without IDs, with the time when they were read. */
export async function showSources(
  notebook: NotebookClient,
  sourceIds: readonly string[] | undefined,
): Promise<string> {
  const sources = (await notebook.call('sources', {})).filter(({ id }) => involvesSource({ sourceIds }, id));
  const named = sources.slice(0, MAX_NAMED_SOURCES).map(({ title, readAt }) => {
    const read = readAt === undefined ? '' : ` (${new Date(readAt).toLocaleDateString()})`;
    return title + read;
  });
  const further = sources.length - named.length;
  return [...named, ...(further > 0 ? [vscode.l10n.t('{0} more', further)] : [])].join(', ');
}

/** Returns a sentence about how the sources differ from those used. */
export function describeDrift({ added, changed, removed }: SourceDrift): string {
  const parts = [
    ...(changed > 0 ? [vscode.l10n.t('{0} changed', changed)] : []),
    ...(added > 0 ? [vscode.l10n.t('{0} new', added)] : []),
    ...(removed > 0 ? [vscode.l10n.t('{0} removed', removed)] : []),
  ];
  return vscode.l10n.t('Out of date. Sources: {0}.', parts.join(', '));
}
