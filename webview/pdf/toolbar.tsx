import type { JSX } from 'preact';
import { IconButton } from '../shared/toolkit.tsx';
import type { PdfPages, Place } from './pdf-pages.ts';

export interface ToolbarProps {
  readonly pages: PdfPages;
  readonly place: Place;
}

/** Page and zoom. */
export function Toolbar({ pages, place }: ToolbarProps): JSX.Element {
  const { page, pages: total, label, scale } = place;
  const shown = label ?? String(page);
  return (
    <div class="toolbar" role="toolbar" aria-label="PDF">
      <IconButton
        icon="chevron-up"
        label="Previous page"
        disabled={page <= 1}
        onPress={() => {
          pages.goTo(page - 1);
        }}
      />
      <IconButton
        icon="chevron-down"
        label="Next page"
        disabled={page >= total}
        onPress={() => {
          pages.goTo(page + 1);
        }}
      />
      <input
        class="page-number"
        aria-label="Page"
        title={label === undefined ? 'Go to page' : `Page ${page.toLocaleString()} of the file. Go to page`}
        value={shown}
        size={Math.max(2, shown.length)}
        onFocus={(event) => {
          event.currentTarget.select();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = shown;
        }}
        onChange={(event) => {
          const wanted = pages.pageOf(event.currentTarget.value);
          if (wanted === undefined) event.currentTarget.value = shown;
          else pages.goTo(wanted);
        }}
      />
      <span class="total">{`/ ${total.toLocaleString()}`}</span>
      <span class="space" />
      <IconButton
        icon="zoom-out"
        label="Zoom out (-)"
        onPress={() => {
          pages.zoomOut();
        }}
      />
      <span class="scale">{scale.toLocaleString(undefined, { style: 'percent' })}</span>
      <IconButton
        icon="zoom-in"
        label="Zoom in (+)"
        onPress={() => {
          pages.zoomIn();
        }}
      />
      <IconButton
        icon="arrow-both"
        label="Fit width"
        onPress={() => {
          pages.fitWidth();
        }}
      />
    </div>
  );
}
