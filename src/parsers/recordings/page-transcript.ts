import type { ReadDocument } from '../../core/domain/document.ts';
import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import { readCaptions } from '../subtitles.ts';
import type { Transcript } from './transcript.ts';

/** Captions or a transcript of the video on a page. */
export interface VideoText {
  readonly title: string | undefined;
  /** Captions as WebVTT or SubRip, or a transcript without times as plain text. */
  readonly text: Uint8Array;
  readonly isTimed: boolean;
}

const HEADING = '## Transcript\n\n';

/**
 * Reads a page and adds the transcript of its video. A page without text of its own has only the transcript.
 * @throws NotebookError as `readPage` does, if there is no transcript either
 */
export async function withPageTranscript(
  readPage: () => Promise<ReadDocument>,
  { title, text, isTimed }: VideoText,
): Promise<ReadDocument> {
  const { text: said, spoken }: { text: string; spoken?: Transcript['spoken'] } = isTimed
    ? readCaptions(text)
    : { text: new TextDecoder().decode(text) };
  let page: ReadDocument | undefined;
  try {
    page = await readPage();
  } catch (error) {
    if (isCanceled(error) || !(error instanceof NotebookError) || said.trim() === '') throw error;
  }
  if (said.trim() === '') return page ?? (await readPage());
  const above = page === undefined ? '' : `${page.text.trimEnd()}\n\n${HEADING}`;
  const shifted = spoken && { ...spoken, starts: spoken.starts.map((start) => start + above.length) };
  const places = page?.map.kind === 'saved' ? page.map.places : undefined;
  return {
    title: title ?? page?.title,
    mediaType: page?.mediaType ?? 'text/html',
    format: page?.format ?? 'prose',
    text: above + said,
    map: { kind: 'saved', ...(places && { places }), ...(shifted && { spoken: shifted }) },
    headings:
      page === undefined
        ? []
        : [...page.headings, { offset: above.length - HEADING.length, level: 2, title: 'Transcript' }],
    warnings: page?.warnings ?? [],
    byline: page?.byline,
    bibliography: page?.bibliography,
  };
}
