import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { SavedPageView } from '../../src/features/pdf/protocol.ts';
import type { Byline } from '../../src/core/domain/document.ts';
import { OpenLink } from '../shared/render.tsx';
import { Divider, WebLink } from '../shared/toolkit.tsx';
import { addressAt } from './text-fragment.ts';

interface PageHeadProps {
  readonly view: SavedPageView;
  /** `true` if the article already contains the title. */
  readonly isTitled: boolean;
  readonly article: { readonly current: HTMLElement | null };
  readonly onOpenFile: () => void;
}

/** Shows the head of a page: title, author, date, a link to the original, and the age of the copy. */
export function PageHead({ view, isTitled, article, onOpenFile }: PageHeadProps): JSX.Element {
  const openLink = useContext(OpenLink);
  const { title, url, fileName, savedAt, byline, notice } = view;
  const saved = savedAt === undefined ? undefined : new Date(savedAt);
  return (
    <header>
      {!isTitled && <h1 dir="auto">{title}</h1>}
      <PageByline author={byline?.author} published={byline?.published} />
      {notice !== undefined && (
        <p class="notice" role="note" dir="auto">
          {notice}
        </p>
      )}
      <p class="origin">
        {url !== undefined && (
          <WebLink
            url={url}
            title={url}
            onOpen={() => openLink(addressAt(url, markedWords(article.current)))}
          >
            {t('Open live page')}
          </WebLink>
        )}
        {fileName !== undefined && (
          <WebLink url="#" title={fileName} onOpen={onOpenFile}>
            {t('Open original file')}
          </WebLink>
        )}
        {saved !== undefined && (
          <time
            dateTime={saved.toISOString()}
            title={saved.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}
          >
            {describeCopy(view, saved.toLocaleDateString(undefined, { dateStyle: 'medium' }))}
          </time>
        )}
      </p>
      <Divider />
    </header>
  );
}

/** Returns the marked words, one string for each block. */
function markedWords(article: HTMLElement | null): string[] {
  const blocks = new Map<Element | null, string>();
  for (const mark of article?.querySelectorAll('mark') ?? []) {
    const block = mark.closest('p, li, h1, h2, h3, h4, h5, h6, td, th, pre');
    blocks.set(block, (blocks.get(block) ?? '') + mark.textContent);
  }
  return [...blocks.values()];
}

/** Shows the author and date from the page itself. */
function PageByline({
  author,
  published,
}: Partial<Pick<Byline, 'author' | 'published'>>): JSX.Element | null {
  if (author === undefined && published === undefined) return null;
  return (
    <p class="byline">
      {author !== undefined && (
        <span class="author" dir="auto">
          <span class="codicon codicon-account" aria-hidden="true" />
          <span class="visually-hidden">{t('Author:')} </span>
          {author}
        </span>
      )}
      {published !== undefined && (
        <time dateTime={published} title={t('Published {0}', showDay(published, 'full'))}>
          <span class="codicon codicon-calendar" aria-hidden="true" />
          <span class="visually-hidden">{t('Published:')} </span>
          {showDay(published, 'long')}
        </time>
      )}
    </p>
  );
}

/** Describes the kind and date of the copy. */
function describeCopy({ fileName, url }: SavedPageView, day: string): string {
  if (fileName !== undefined) return t('Read {0}', day);
  return url === undefined ? t('Added {0}', day) : t('Saved {0}', day);
}

/** Formats an ISO date in the reader's language, independent of the time zone. */
function showDay(published: string, dateStyle: 'full' | 'long'): string {
  return new Date(`${published}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle, timeZone: 'UTC' });
}
