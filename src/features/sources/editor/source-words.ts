import { repositoryAddress } from '../../../parsers/threads/repository-address.ts';
import * as vscode from 'vscode';
import type { DocumentBibliography } from '../../../index/store/sources/references-api.ts';
import type { SkipCounts, Source, SourceOrigin } from '../../../core/domain/source.ts';
import { ago } from '../../../platform/relative-time.ts';
import { number } from '../../../platform/shown-number.ts';
import type { TranscriptionState } from '../../recordings/editor/transcription.ts';

/** Reports whether its documents are listed below it. */
export function hasDocuments(origin: SourceOrigin): boolean {
  return (
    origin.kind === 'folder' ||
    origin.kind === 'site' ||
    (origin.kind === 'copy' && origin.of === 'folder') ||
    (origin.kind === 'page' && repositoryAddress(origin.url) !== undefined)
  );
}

/**
 * Number of pages of a source whose text is still to be recognized, whether recognition is paused or blocked, and the
 * progress of its recordings that are being transcribed.
 */
export interface RecognitionState {
  readonly left: number;
  readonly isPaused: boolean;
  readonly transcription?: TranscriptionState | undefined;
}

/**
 * Describes a source after its title: its state, and how much was read. `included` is the number of its documents that
 * questions include.
 */
export function describe(
  source: Source,
  { left, isPaused, transcription }: RecognitionState,
  included = source.documents,
): string {
  const { state } = source;
  const isSite = source.origin.kind === 'site';
  switch (state.kind) {
    case 'queued':
      return vscode.l10n.t('Waiting');
    case 'reading':
      if (state.total === 0 && source.origin.kind === 'folder') return vscode.l10n.t('Looking for files…');
      if (state.total <= 1) return vscode.l10n.t('Reading');
      if (source.origin.kind === 'file')
        return vscode.l10n.t('Reading page {0} of {1}', number(state.done), number(state.total));
      return vscode.l10n.t('Reading {0}', partOf(state.done, state.total, isSite));
    case 'paused':
      return vscode.l10n.t(
        'Paused at {0} · {1}',
        partOf(state.done, state.total, true),
        passages(source.passages),
      );
    case 'failed':
      if (state.code === 'no-transcript' && transcription !== undefined)
        return transcribing(transcription, transcription.problem);
      // The tooltip has the reason, and the menu has the action.
      if (state.code === 'no-transcript') return vscode.l10n.t('No transcript');
      // A narrow view cuts off the sentence, but not the kind of failure before it.
      return [...shortReason(state.code), state.reason].join(' · ');
    case 'stopped':
      if (state.total <= 1)
        return [vscode.l10n.t('Stopped'), ...(source.passages > 0 ? [passages(source.passages)] : [])].join(
          ' · ',
        );
      return vscode.l10n.t(
        'Stopped at {0} · {1}',
        partOf(state.done, state.total, isSite),
        passages(source.passages),
      );
    case 'ready':
      return [
        ...(left === 0 ? [] : [isPaused ? recognitionPaused(left) : recognising(left)]),
        ...(transcription === undefined ? [] : [transcribing(transcription)]),
        ...whatIsRead(source, included),
        ...formatSkipCounts(source.skipped),
        ...(source.readAt === undefined ? [] : [ago(source.readAt)]),
      ].join(' · ');
  }
}

/** Returns a sentence without the title at its beginning, for places that already show the title. */
export function withoutTitle(sentence: string, title: string): string {
  return sentence.startsWith(`${title} `) ? sentence.slice(title.length + 1) : sentence;
}

/**
 * Returns why a source can't be searched, in one sentence; undefined if it can or wasn't read yet. `others` are the
 * sources of its notebook.
 */
export function findProblem(source: Source, others: readonly Source[]): string | undefined {
  const { origin, state, documents, skipped, title } = source;
  if (state.kind === 'failed') return state.reason;
  if (state.kind !== 'ready' || origin.kind !== 'folder' || documents > 0 || isElsewhere(source))
    return undefined;
  // Its files are separate sources.
  if (others.some((other) => 'uri' in other.origin && other.origin.uri.startsWith(`${origin.uri}/`)))
    return undefined;
  return formatSkipCounts(skipped).length > 0
    ? vscode.l10n.t('{0} has no readable files. Run “Show Skipped Files” to see why.', title)
    : vscode.l10n.t(
        '{0} has no files to read. Open Notebook reads new files in this folder automatically.',
        title,
      );
}

/** Maximum length of a URL that leaves room after it in a narrow view, in UTF-16 code units. */
const MAX_ADDRESS_LENGTH = 30;

/** Returns the label of a source's row: its title, or the ends of the URL of a page without one. */
export function rowLabel({ title, origin }: Source): string {
  if (origin.kind !== 'page' || title !== origin.url) return title;
  const { host, pathname } = new URL(origin.url);
  const address = (host + pathname).replace(/\/$/, '');
  if (address.length <= MAX_ADDRESS_LENGTH) return address;
  const end = address.slice(address.lastIndexOf('/') + 1);
  const short = `${host}/…/${end}`;
  return short.length <= MAX_ADDRESS_LENGTH
    ? short
    : `${host.slice(0, MAX_ADDRESS_LENGTH / 2)}…${end.slice(-(MAX_ADDRESS_LENGTH / 2) + 1)}`;
}

/** Returns the label of a failed source's row, so short that the kind of failure fits after it. */
export function shortLabel(source: Source): string {
  const label = rowLabel(source);
  const { title, origin } = source;
  const slash = label.lastIndexOf('/');
  return origin.kind === 'page' && title === origin.url && slash >= 0 ? `…${label.slice(slash)}` : label;
}

/** Returns the kind of a failure in two or three words, or nothing if it has none. */
function shortReason(code: string | undefined): string[] {
  switch (code) {
    case 'not-found':
      return [vscode.l10n.t('Not found')];
    case 'unauthorized':
      return [vscode.l10n.t('Sign-in required')];
    case 'forbidden':
      return [vscode.l10n.t('No access')];
    case 'timeout':
      return [vscode.l10n.t('Timed out')];
    case 'connection':
      return [vscode.l10n.t('No connection')];
    case 'server':
    case 'rate-limited':
      return [vscode.l10n.t('Server error')];
    case 'unsupported':
    case 'binary':
      return [vscode.l10n.t('Not supported')];
    case 'empty':
    case 'too-short':
      return [vscode.l10n.t('No text')];
    case 'encrypted':
      return [vscode.l10n.t('Password required')];
    case 'damaged':
      return [vscode.l10n.t('Damaged')];
    case 'too-large':
      return [vscode.l10n.t('Too large')];
    default:
      return [];
  }
}

/** Returns the text for ongoing text recognition. */
export function recognising(pages: number): string {
  return pages === 1
    ? vscode.l10n.t('Recognizing text, 1 page left')
    : vscode.l10n.t('Recognizing text, {0} pages left', number(pages));
}

/** Returns the text for transcription, with the reason why it is paused. */
export function transcribing(
  { done, total, isPaused, isElsewhere }: TranscriptionState,
  problem?: string,
): string {
  if (isElsewhere) return vscode.l10n.t('Transcribing in another window');
  if (!isPaused) return vscode.l10n.t('Transcribing, {0} of {1} min', number(done), number(total));
  const paused = vscode.l10n.t('Transcription paused, {0} of {1} min', number(done), number(total));
  return problem === undefined ? paused : `${paused} · ${problem}`;
}

function recognitionPaused(pages: number): string {
  return pages === 1
    ? vscode.l10n.t('Text recognition paused, 1 page left')
    : vscode.l10n.t('Text recognition paused, {0} pages left', number(pages));
}

/** Reports whether the team has more documents of a source than this machine stores. */
function isElsewhere({ documents, team }: Source): boolean {
  return team?.documents !== undefined && team.documents > documents;
}

/** Returns the searchable parts of a source in words: its files or pages, and their passages. */
function whatIsRead(source: Source, included = source.documents): string[] {
  const { origin, documents, passages: count, team } = source;
  if (isElsewhere(source)) {
    if (!hasDocuments(origin)) return [vscode.l10n.t('in the team database, not on this machine')];
    const documentCount = partOf(documents, team?.documents ?? 0, origin.kind === 'site');
    return [vscode.l10n.t('{0} on this machine', documentCount), passages(count)];
  }
  if (!hasDocuments(origin)) return [passages(count)];
  return [includedInWords(included, documents, origin.kind === 'site'), passages(count)];
}

/** Returns the tooltip of a source: its origin, how much of it was read, and its problems. */
export function tooltip(source: Source): string {
  const { origin, skipped, team } = source;
  const skipTexts = describeSkips(skipped);
  return [
    source.title,
    ...(origin.kind === 'copy'
      ? [vscode.l10n.t('Copy of the text. The original is on another machine.')]
      : []),
    ...('uri' in origin
      ? [/^https?:/i.test(origin.uri) ? origin.uri : vscode.Uri.parse(origin.uri).fsPath]
      : []),
    ...('url' in origin ? [origin.url] : []),
    ...('starts' in origin ? origin.starts : []),
    ...(source.state.kind === 'failed' ? [source.state.reason] : []),
    ...(source.passages > 0 || isElsewhere(source) ? [whatIsRead(source).join(' · ')] : []),
    ...(isElsewhere(source)
      ? [vscode.l10n.t('Open Notebook downloads the rest from the team database when a question needs it.')]
      : []),
    ...(skipTexts.length > 0 ? [vscode.l10n.t('Skipped: {0}', skipTexts.join(', '))] : []),
    ...(source.readAt === undefined
      ? []
      : [vscode.l10n.t('Read {0}', new Date(source.readAt).toLocaleString())]),
    ...(team === undefined
      ? []
      : [vscode.l10n.t('Added by {0}, {1}', team.addedBy, new Date(team.addedAt).toLocaleString())]),
    ...(team === undefined || team.changedAt === team.addedAt
      ? []
      : [vscode.l10n.t('Changed by {0}, {1}', team.changedBy, new Date(team.changedAt).toLocaleString())]),
  ].join('\n');
}

/** Maximum number of authors that are named. */
const MAX_NAMED_AUTHORS = 6;

/** Returns the metadata of a document, one line each; empty if only its title is known. */
export function wordsOnWork(work: DocumentBibliography | undefined): string[] {
  const { authors = [], year, doi, arxiv } = work?.edited ?? work?.found ?? {};
  if (
    work === undefined ||
    (authors.length === 0 && year === undefined && doi === undefined && arxiv === undefined)
  )
    return [];
  const names = authors
    .slice(0, MAX_NAMED_AUTHORS)
    .map(({ family, givenName }) => (givenName === undefined ? family : `${givenName} ${family}`));
  const more = authors.length - names.length;
  return [
    ...(names.length === 0
      ? []
      : [more === 0 ? names.join(', ') : vscode.l10n.t('{0} and {1} more', names.join(', '), number(more))]),
    [
      ...(year === undefined ? [] : [String(year)]),
      ...(doi === undefined ? [] : [`doi:${doi}`]),
      ...(arxiv === undefined ? [] : [`arXiv:${arxiv}`]),
    ].join(' · '),
    vscode.l10n.t('To cite in a note: {0}', `[@${work.key}]`),
  ].filter((line) => line !== '');
}

/** Returns the skip counts by reason, in a few words each. */
function describeSkips(skipped: SkipCounts): string[] {
  const counted: readonly (readonly [number, string])[] = [
    [skipped.binary, vscode.l10n.t('{0} binary', number(skipped.binary))],
    [skipped.tooLarge, vscode.l10n.t('{0} too large', number(skipped.tooLarge))],
    [skipped.tooShort, vscode.l10n.t('{0} empty', number(skipped.tooShort))],
    [skipped.failed, vscode.l10n.t('{0} unreadable', number(skipped.failed))],
  ];
  return counted.filter(([count]) => count > 0).map(([, words]) => words);
}

/** Returns the total skip count in words; empty if no file was skipped. */
export function formatSkipCounts({ binary, tooLarge, tooShort, failed }: SkipCounts): string[] {
  const count = binary + tooLarge + tooShort + failed;
  return count === 0 ? [] : [vscode.l10n.t('{0} skipped', number(count))];
}

/** Returns a number of passages in words. */
export function passages(count: number): string {
  return count === 1 ? vscode.l10n.t('1 passage') : vscode.l10n.t('{0} passages', number(count));
}

/** Returns the number of files or pages in words, and how many of them questions include unless all are included. */
export function includedInWords(included: number, total: number, arePages = false): string {
  return included < total ? partOf(included, total, arePages) : wholeInWords(total, arePages);
}

/** Formats a part of the files or pages: `3 of 4 pages`. */
function partOf(part: number, total: number, arePages: boolean): string {
  return vscode.l10n.t('{0} of {1}', number(part), wholeInWords(total, arePages));
}

function wholeInWords(count: number, arePages: boolean): string {
  if (arePages) return count === 1 ? vscode.l10n.t('1 page') : vscode.l10n.t('{0} pages', number(count));
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', number(count));
}
