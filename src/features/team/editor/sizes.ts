import * as vscode from 'vscode';
import { sanitizeWords } from '../../../core/domain/sanitize-markdown.ts';
import type { NotebookSize, TeamMember } from '../service/api.ts';
import { roleWords } from '../model/roles.ts';

/** Returns the sizes of a team's notebooks, and when members were last seen, as Markdown. */
export function sizesAsMarkdown(
  place: string,
  sizes: readonly NotebookSize[],
  members: readonly TeamMember[],
): string {
  const { language } = vscode.env;
  const number = (value: number): string => value.toLocaleString(language);
  const time = (value: number | undefined): string =>
    value === undefined
      ? ''
      : new Date(value).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  const heads = [
    vscode.l10n.t('Notebook'),
    vscode.l10n.t('Created by'),
    vscode.l10n.t('Sources'),
    vscode.l10n.t('Documents'),
    vscode.l10n.t('Notes'),
    vscode.l10n.t('Shared conversations'),
    vscode.l10n.t('Size (MB)'),
    vscode.l10n.t('Last changed'),
  ];
  const notebooks = sizes.map((notebook) => [
    notebook.removedAt === undefined
      ? notebook.name
      : vscode.l10n.t('{0} (deleted {1})', notebook.name, time(notebook.removedAt)),
    notebook.createdBy,
    number(notebook.sources),
    number(notebook.documents),
    number(notebook.notes),
    number(notebook.conversations),
    (notebook.bytes / 1_000_000).toLocaleString(language, { maximumFractionDigits: 1 }),
    time(notebook.changedAt),
  ]);
  const people = members.map(({ name, role, seenAt }) => [name, roleWords(role), time(seenAt)]);
  return [
    `# ${sanitizeWords(place)}`,
    table(heads, notebooks),
    table(
      [vscode.l10n.t('Member'), vscode.l10n.t('Team permission'), vscode.l10n.t('Last connected')],
      people,
    ),
    vscode.l10n.t(
      'Private content isn’t stored in the database. This overview shows only totals and activity.',
    ),
    '',
  ].join('\n\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => sanitizeWords(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}
