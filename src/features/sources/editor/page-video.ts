import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../../../core/domain/errors.ts';
import type { VideoText } from '../../../parsers/recordings/page-transcript.ts';
import type { FetchedPage } from '../../../parsers/web/fetch-page.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';

/** Maximum number of captions that are downloaded until some can be read. */
const MAX_DOWNLOADS = 3;

/** Captions of the video on a page, or the reason why there are none as a sentence; neither for other pages. */
interface PageVideo {
  readonly text?: VideoText;
  readonly warning?: string;
}

/** Reports whether bytes are captions: WebVTT, SubRip, or a format of YouTube. */
function areTimed(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ['-->', '"tStartMs"', '<timedtext', '<transcript>'].some((mark) => text.includes(mark));
}

/**
 * Downloads the captions of the video on a page, never the video.
 * @throws NotebookError `cancelled`, and as parsing the page does
 */
export async function readPageVideo(
  page: FetchedPage,
  readers: Pick<ReaderPool, 'findPageCaptions'>,
  fetched: (address: string) => Promise<FetchedPage>,
  signal: AbortSignal,
): Promise<PageVideo> {
  const { mayHaveCaptions } = await import('../../../parsers/web/page-captions.ts');
  if (!/html/i.test(page.mediaType) || !mayHaveCaptions(page.bytes)) return {};
  const content = { kind: 'bytes', bytes: page.bytes } as const;
  const captions = await readers.findPageCaptions({ content, name: page.url, url: page.url }, signal);
  if (captions === undefined) return {};
  const { title, tracks, transcript } = captions;
  let problem: NotebookError | undefined;
  for (const address of tracks.slice(0, MAX_DOWNLOADS))
    try {
      const { bytes } = await fetched(address);
      if (areTimed(bytes)) return { text: { title, text: bytes, isTimed: true } };
    } catch (error) {
      if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
      problem = error;
    }
  if (transcript !== undefined)
    return { text: { title, text: new TextEncoder().encode(transcript), isTimed: false } };
  return {
    warning:
      problem === undefined
        ? vscode.l10n.t('The video on this page has no captions that can be read.')
        : vscode.l10n.t('Can’t download the captions of the video on this page: {0}', problem.message),
  };
}
