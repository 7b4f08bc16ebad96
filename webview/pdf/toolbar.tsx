import type { ComponentChildren, JSX } from 'preact';
import { t } from '@vscode/l10n';
import { IconButton } from '../shared/toolkit.tsx';
import type { PdfPages, Place } from './pdf-pages.ts';

interface ToolbarProps {
  readonly pages: PdfPages;
  readonly place: Place;
  /** `true` if the outline is open; undefined if the PDF has none. */
  readonly isOutlineOpen: boolean | undefined;
  readonly isInverted: boolean;
  readonly areAnnotationsOpen: boolean;
  readonly isBoxing: boolean;
  readonly onOutline: () => void;
  readonly onAnnotations: () => void;
  readonly onBox: () => void;
  readonly areThumbnailsOpen: boolean;
  readonly onThumbnails: () => void;
  readonly onFind: () => void;
  readonly onColors: () => void;
  readonly onPrint: () => void;
}

/** Shows the toolbar: outline, page, citations, search, zoom, and colors. */
export function Toolbar({
  pages,
  place,
  isOutlineOpen,
  isInverted,
  areAnnotationsOpen,
  isBoxing,
  onOutline,
  onAnnotations,
  onBox,
  areThumbnailsOpen,
  onThumbnails,
  onFind,
  onColors,
  onPrint,
}: ToolbarProps): JSX.Element {
  return (
    <div class="toolbar" role="toolbar" aria-label={t('PDF')}>
      {isOutlineOpen !== undefined && (
        <IconButton icon="list-tree" label={t('Outline (O)')} pressed={isOutlineOpen} onPress={onOutline} />
      )}
      <IconButton
        icon="list-unordered"
        label={t('Highlights (L)')}
        pressed={areAnnotationsOpen}
        onPress={onAnnotations}
      />
      <IconButton
        icon="layout-sidebar-left"
        label={t('Pages (T)')}
        pressed={areThumbnailsOpen}
        onPress={onThumbnails}
      />
      <PageField pages={pages} place={place} />
      {(place.hasBack || place.hasForward) && <TrailSteps pages={pages} place={place} />}
      {place.marks > 1 && <MarkSteps pages={pages} place={place} />}
      <span class="space" />
      <IconButton icon="screen-normal" label={t('Draw a box (B)')} pressed={isBoxing} onPress={onBox} />
      <IconButton icon="search" label={t('Find (Ctrl+F)')} onPress={onFind} />
      <ZoomControls pages={pages} place={place} />
      <span class="page-colors">
        <IconButton
          icon="color-mode"
          label={t('Dark page colors (I)')}
          pressed={isInverted}
          onPress={onColors}
        />
      </span>
      <IconButton icon="link-external" label={t('Print with Another App…')} onPress={onPrint} />
    </div>
  );
}

interface PartProps {
  readonly pages: PdfPages;
  readonly place: Place;
}

function PageField({ pages, place: { page, pages: total, label } }: PartProps): JSX.Element {
  const shown = label ?? String(page);
  return (
    <Group>
      <IconButton
        icon="chevron-up"
        label={t('Previous page (K)')}
        disabled={page <= 1}
        onPress={() => pages.goTo(page - 1)}
      />
      <IconButton
        icon="chevron-down"
        label={t('Next page (J)')}
        disabled={page >= total}
        onPress={() => pages.goTo(page + 1)}
      />
      <input
        class="page-number"
        type="text"
        aria-label={t('Page')}
        title={t('Go to page (G)')}
        value={shown}
        size={Math.max(2, shown.length)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = shown;
        }}
        onChange={(event) => {
          const targetPage = pages.findPage(event.currentTarget.value);
          if (targetPage === undefined) event.currentTarget.value = shown;
          else pages.jumpTo(targetPage);
        }}
      />
      <span class="total">
        {label === undefined
          ? `/ ${total.toLocaleString()}`
          : t('({0} of {1})', page.toLocaleString(), total.toLocaleString())}
      </span>
    </Group>
  );
}

function TrailSteps({ pages, place: { hasBack, hasForward } }: PartProps): JSX.Element {
  return (
    <Group>
      <IconButton
        icon="arrow-left"
        label={t('Back (Alt+Left)')}
        disabled={!hasBack}
        onPress={() => void pages.step('back')}
      />
      <IconButton
        icon="arrow-right"
        label={t('Forward (Alt+Right)')}
        disabled={!hasForward}
        onPress={() => void pages.step('forward')}
      />
    </Group>
  );
}

function MarkSteps({ pages, place: { marks, currentMark } }: PartProps): JSX.Element {
  return (
    <Group>
      <IconButton
        icon="arrow-up"
        label={t('Previous citation (P)')}
        onPress={() => void pages.stepMark(-1)}
      />
      <IconButton icon="arrow-down" label={t('Next citation (N)')} onPress={() => void pages.stepMark(1)} />
      <span class="total" role="status">
        <span class="wide">{t('Citation')} </span>
        {t('{0} of {1}', (currentMark + 1).toLocaleString(), marks.toLocaleString())}
      </span>
    </Group>
  );
}

function ZoomControls({ pages, place: { scale, isWide, isDouble } }: PartProps): JSX.Element {
  const { zoom } = pages;
  return (
    <Group>
      <IconButton
        icon="split-horizontal"
        label={t('Two pages side by side (D)')}
        pressed={isDouble}
        onPress={() => pages.toggleDouble()}
      />
      <IconButton icon="zoom-out" label={t('Zoom out (-)')} onPress={() => zoom.out()} />
      <span class="scale">{scale.toLocaleString(undefined, { style: 'percent' })}</span>
      <IconButton icon="zoom-in" label={t('Zoom in (+)')} onPress={() => zoom.in()} />
      <IconButton
        icon={isWide ? 'screen-full' : 'arrow-both'}
        label={isWide ? t('Fit page (0)') : t('Fit width (0)')}
        onPress={() => zoom.fit()}
      />
    </Group>
  );
}

/** Groups controls that stay together if the toolbar wraps. */
function Group({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <span class="group">{children}</span>;
}
