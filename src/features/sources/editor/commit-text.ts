import { t } from '@vscode/l10n';
import { fenceText } from '../../../core/language/markdown-lines.ts';
import { MAX_CONTEXT_ITEM_LENGTH } from './context-item.ts';

/** Commit as VS Code's Git extension describes it. */
export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorName?: string | undefined;
  readonly authorDate?: Date | undefined;
}

/** Maximum number of commits whose messages are included, and of omitted files that are named. */
const MAX_SHOWN_COMMITS = 200;

/** Length to which a commit message is cut, in UTF-16 code units; only generated messages are longer. */
const MAX_MESSAGE_LENGTH = 20_000;

/**
 * Returns commit messages, newest first, and their changes as Markdown: the files of the diff up to a maximum length,
 * with sentences about omitted files.
 */
export function commitText(
  commits: readonly Commit[],
  diff: string,
): { readonly text: string; readonly warnings: readonly string[] } {
  const shownCommits = commits.slice(0, MAX_SHOWN_COMMITS);
  const parts = shownCommits.flatMap(messageLines);
  const omittedFiles: string[] = [];
  let room = MAX_CONTEXT_ITEM_LENGTH - parts.join('').length;
  for (const file of diff.split(/^(?=diff --git )/m).filter((fileDiff) => fileDiff.trim() !== '')) {
    const name = diffPath(file);
    if (room > 0 && omittedFiles.length === 0)
      parts.push(`## ${name}`, fenceText(file.slice(0, room).toWellFormed().trimEnd(), 'diff'));
    if (file.length > room) omittedFiles.push(name);
    room -= file.length;
  }
  const untold = commits.length - shownCommits.length;
  const warnings = [
    ...(untold > 0 ? [t('Commits in this range that aren’t listed individually: {0}.', untold)] : []),
    ...(omittedFiles.length > 0
      ? [
          t(
            'The changes are too large to include in full. Files omitted or truncated: {0}.',
            omittedFiles.length,
          ),
        ]
      : []),
  ];
  const named = omittedFiles.slice(0, MAX_SHOWN_COMMITS).map((name) => `- ${name}`);
  const rest = omittedFiles.length === 0 ? [] : [`## ${t('Omitted or truncated files')}`, named.join('\n')];
  return { text: `${[...parts, ...rest].join('\n\n')}\n`, warnings };
}

function messageLines({ hash, message, authorName, authorDate }: Commit): string[] {
  const [subject = '', ...body] = message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed().trim().split('\n');
  const day = authorDate?.toISOString().slice(0, 16).replace('T', ' ');
  const about = [hash, authorName, day].filter((part) => part !== undefined).join(' · ');
  // Preserves the lines of trailers and lists. Messages aren't Markdown.
  const rest = body.join('\n').trim();
  return [`## ${subject.trim()}`, about, ...(rest === '' ? [] : [fenceText(rest, 'text')])];
}

/** Returns the path of a file from the first line of its part of a diff: `diff --git a/src/main.ts b/src/main.ts`. */
function diffPath(file: string): string {
  const line = file.slice(0, file.indexOf('\n'));
  const half = line.indexOf(' b/', 'diff --git a/'.length);
  return half < 0 ? line.slice('diff --git '.length) : line.slice(half + 3);
}
