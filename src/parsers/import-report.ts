import { t } from '@vscode/l10n';

/** Results of an import, by title or file name. */
export interface ImportOutcome {
  readonly added: readonly string[];
  /** Sources that were already in the notebook, and duplicates within the import. */
  readonly existing: readonly string[];
  /** Sentences about sources that can't be read. */
  readonly problems: readonly string[];
  /** Files without texts, such as those of the app's vector index. */
  readonly skipped: readonly string[];
  /** `true` if the user stopped the import. */
  readonly stopped: boolean;
}

/** Returns the report of an import in Markdown: the added and the skipped sources. */
export function importReport(folder: string, outcome: ImportOutcome): string {
  const { added, existing, problems, skipped, stopped } = outcome;
  return [
    `# ${t('Import Report: {0}', folder)}`,
    ...(stopped
      ? [t('The import was stopped. Sources that were already added are kept. Import again to continue.')]
      : []),
    ...section(t('Added'), added),
    ...section(t('Already in the notebook'), existing),
    ...section(t('Couldn’t be read'), problems),
    ...section(t('Skipped'), skipped),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [
    `## ${title} (${String(lines.length)})`,
    lines.map((line) => `- ${line.replace(/\s+/g, ' ').trim()}`).join('\n'),
  ];
}
