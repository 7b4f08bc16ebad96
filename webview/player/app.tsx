import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Span } from '../../src/core/language/span.ts';
import type { PlayerView } from '../../src/features/recordings/protocol.ts';
import { Button, IconButton } from '../shared/toolkit.tsx';
import { Chapters } from './chapters.tsx';
import { chapterAt, matchesOf, spokenAt, timeAt } from './times.ts';
import { selectedSpan, showSpans, Transcript } from './transcript.tsx';

interface PlayerAppProps {
  readonly view: PlayerView;
  readonly mark: Span | undefined;
  /** Increases with each request to show the mark. */
  readonly reveals: number;
  /** Position before a reload, in seconds. */
  readonly startAt: number | undefined;
  readonly problem: string | undefined;
  readonly onPlace: (seconds: number) => void;
  readonly onOpenFile: () => void;
  readonly onOpenPage: (seconds: number) => void;
  readonly onSaveClip: (span: Span) => void;
  readonly onRenameSpeakers: () => void;
  readonly onGenerateChapters: () => void;
  readonly onRemoveChapters: () => void;
}

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** Seconds that a key moves the position. */
const STEP_SECONDS = 5;
const JUMP_SECONDS = 10;

/** Shows a recording with its transcript, which follows the sound. */
export function PlayerApp(props: PlayerAppProps): JSX.Element {
  const {
    view,
    mark,
    reveals,
    startAt,
    problem,
    onPlace,
    onOpenFile,
    onOpenPage,
    onSaveClip,
    onRenameSpeakers,
    onGenerateChapters,
    onRemoveChapters,
  } = props;
  const media = useRef<HTMLMediaElement | null>(null);
  const setMedia = useCallback((element: HTMLMediaElement | null): void => {
    media.current = element;
  }, []);
  const field = useRef<HTMLInputElement>(null);
  const article = useRef<HTMLElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  const [isFollowing, setIsFollowing] = useState(true);
  const [speed, setSpeed] = useState(1);
  const [words, setWords] = useState('');
  const [current, setCurrent] = useState(-1);
  const [selection, setSelection] = useState<Span>();
  const matches = useMemo(() => matchesOf(view.text, words), [view.text, words]);
  const [chapter, setChapter] = useState(-1);
  const notice = noticeOf(view, isBroken);

  const seek = (seconds: number): void => {
    if (media.current !== null) media.current.currentTime = Math.max(0, seconds);
  };
  const seekOrOpen = view.page === undefined ? seek : onOpenPage;
  const goTo = (seconds: number): void => {
    seekOrOpen(seconds);
    const part = view.from.findIndex((from) => from >= seconds - 0.01);
    const start = view.starts[part];
    if (start !== undefined) scrollTo(article.current, { start, end: start });
  };
  const toggle = (): void => {
    const player = media.current;
    if (player === null) return;
    // The player shows errors of the file. Pausing at once also rejects this promise.
    if (player.paused) player.play().catch(() => undefined);
    else player.pause();
  };
  const changeSpeed = (next: number): void => {
    setSpeed(next);
    if (media.current !== null) media.current.playbackRate = next;
  };
  const step = (by: number): void => {
    if (matches.length === 0) return;
    const next = (Math.max(current, by > 0 ? -1 : 0) + by + matches.length) % matches.length;
    setCurrent(next);
    const match = matches[next];
    if (match !== undefined) scrollTo(article.current, match);
  };

  useEffect(() => {
    const start = mark === undefined ? startAt : timeAt(view, mark.start);
    if (start !== undefined) seek(start);
    if (mark !== undefined) scrollTo(article.current, mark);
  }, [mark, reveals]);

  useEffect(() => showSpans(article.current, 'cited', mark === undefined ? [] : [mark]), [mark]);
  useEffect(() => showSpans(article.current, 'found', matches), [matches]);
  useEffect(() => {
    const match = matches[current];
    showSpans(article.current, 'current-match', match === undefined ? [] : [match]);
  }, [matches, current]);

  useFollowing(view, media.current, article.current, isFollowing, onPlace);

  useEffect(() => {
    const player = media.current;
    if (player === null) return undefined;
    const update = (): void => setChapter(chapterAt(view.chapters, player.currentTime));
    update();
    for (const event of ['timeupdate', 'seeked']) player.addEventListener(event, update);
    return () => {
      for (const event of ['timeupdate', 'seeked']) player.removeEventListener(event, update);
    };
  }, [view, isBroken]);

  useEffect(() => {
    const select = (): void => setSelection(selectedSpan(article.current));
    document.addEventListener('selectionchange', select);
    return () => document.removeEventListener('selectionchange', select);
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'f') {
        event.preventDefault();
        field.current?.focus();
        field.current?.select();
        return;
      }
      if (ctrlKey || metaKey || altKey || isOwnKey(event)) return;
      // The state is one key behind until this handler is replaced.
      const currentSpeed = media.current?.playbackRate ?? speed;
      const faster = SPEEDS.find((choice) => choice > currentSpeed) ?? currentSpeed;
      const slower = SPEEDS.findLast((choice) => choice < currentSpeed) ?? currentSpeed;
      const at = media.current?.currentTime ?? 0;
      const actions: Readonly<Record<string, () => void>> = {
        ' ': toggle,
        k: toggle,
        ArrowLeft: () => seek(at - STEP_SECONDS),
        ArrowRight: () => seek(at + STEP_SECONDS),
        j: () => seek(at - JUMP_SECONDS),
        l: () => seek(at + JUMP_SECONDS),
        '>': () => changeSpeed(faster),
        '<': () => changeSpeed(slower),
      };
      const action = actions[key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  });

  const mediaProps = {
    ref: setMedia,
    src: view.media,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': view.title,
    onError: () => {
      setIsBroken(true);
    },
    onLoadedMetadata: () => {
      const start = mark === undefined ? startAt : timeAt(view, mark.start);
      if (start !== undefined && media.current?.currentTime === 0) seek(start);
    },
  };
  return (
    <main class="player">
      <header>
        <h1 dir="auto">{view.title}</h1>
        {view.media !== undefined &&
          !isBroken &&
          (view.isVideo ? <video {...mediaProps} /> : <audio {...mediaProps} />)}
        {notice !== undefined && (
          <p class="notice" role="note">
            <span>{notice}</span>
            {view.media !== undefined && (
              <Button look="secondary" label={t('Open in Default App')} onPress={onOpenFile} />
            )}
            {view.page !== undefined && (
              <Button look="secondary" label={t('Open Page')} onPress={() => onOpenPage(0)} />
            )}
          </p>
        )}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {view.chapters.length > 0 && <Chapters chapters={view.chapters} current={chapter} onChoose={goTo} />}
        <div class="tools" role="toolbar" aria-label={t('Player')}>
          <search class="find">
            <input
              ref={field}
              type="text"
              aria-label={t('Find in Transcript')}
              title={t('Find in Transcript (Ctrl+F)')}
              placeholder={t('Find in transcript')}
              value={words}
              spellcheck={false}
              onInput={(event) => {
                setWords(event.currentTarget.value);
                setCurrent(-1);
              }}
              onKeyDown={(event) => {
                if (event.isComposing || event.key !== 'Enter') return;
                event.preventDefault();
                step(event.shiftKey ? -1 : 1);
              }}
            />
            <span class="count" role="status">
              {countInWords(words, current, matches.length)}
            </span>
            <IconButton
              icon="arrow-up"
              label={t('Previous Match (Shift+Enter)')}
              disabled={matches.length === 0}
              onPress={() => step(-1)}
            />
            <IconButton
              icon="arrow-down"
              label={t('Next Match (Enter)')}
              disabled={matches.length === 0}
              onPress={() => step(1)}
            />
          </search>
          <span class="actions">
            {view.media !== undefined && !isBroken && (
              <>
                <label title={t('Speed (< and >)')}>
                  <span class="visually-hidden">{t('Speed')}</span>
                  <select
                    value={String(speed)}
                    onChange={(event) => changeSpeed(Number(event.currentTarget.value))}
                  >
                    {SPEEDS.map((choice) => (
                      <option key={choice} value={String(choice)}>{`${choice.toLocaleString()}×`}</option>
                    ))}
                  </select>
                </label>
                <IconButton
                  icon="sync"
                  label={t('Follow Playback')}
                  pressed={isFollowing}
                  onPress={() => setIsFollowing(!isFollowing)}
                />
              </>
            )}
            {view.canChange && (
              <>
                <IconButton icon="person" label={t('Rename Speakers…')} onPress={onRenameSpeakers} />
                <IconButton
                  icon="list-ordered"
                  label={t('Generate Chapters…')}
                  onPress={onGenerateChapters}
                />
                {view.hasGeneratedChapters && (
                  <IconButton
                    icon="trash"
                    label={t('Remove Generated Chapters')}
                    onPress={onRemoveChapters}
                  />
                )}
              </>
            )}
            {view.canSaveClips && (
              <IconButton
                icon="save"
                label={
                  selection === undefined
                    ? t('Save Clip as Note: select words first')
                    : t('Save Clip as Note')
                }
                disabled={selection === undefined}
                onPress={() => {
                  if (selection !== undefined) onSaveClip(selection);
                }}
              />
            )}
          </span>
        </div>
      </header>
      <Transcript
        view={view}
        article={article}
        cited={mark}
        onSeek={seekOrOpen}
        onScroll={() => setIsFollowing(false)}
      />
    </main>
  );
}

/** Marks what is spoken while the recording plays, and keeps it in view. */
function useFollowing(
  view: PlayerView,
  media: HTMLMediaElement | null,
  article: HTMLElement | null,
  isFollowing: boolean,
  onPlace: (seconds: number) => void,
): void {
  const [, setIsShown] = useState(false);
  // The elements exist only after the first drawing.
  useEffect(() => setIsShown(true), []);
  useEffect(() => {
    if (media === null) return undefined;
    let frame = 0;
    let shownSpan: Span | undefined;
    const show = (): void => {
      const spoken = spokenAt(view, media.currentTime);
      if (spoken?.start !== shownSpan?.start) {
        shownSpan = spoken;
        showSpans(article, 'spoken', spoken === undefined ? [] : [spoken]);
        if (spoken !== undefined && isFollowing && !media.paused) scrollTo(article, spoken);
      }
      if (!media.paused) frame = requestAnimationFrame(show);
    };
    const start = (): void => {
      cancelAnimationFrame(frame);
      show();
    };
    const keep = (): void => onPlace(media.currentTime);
    const starts = ['play', 'seeked', 'timeupdate'];
    for (const event of starts) media.addEventListener(event, start);
    for (const event of ['pause', 'seeked']) media.addEventListener(event, keep);
    return () => {
      cancelAnimationFrame(frame);
      for (const event of starts) media.removeEventListener(event, start);
      for (const event of ['pause', 'seeked']) media.removeEventListener(event, keep);
    };
  }, [view, media, article, isFollowing]);
}

/** Scrolls a span of the transcript into view if it isn't. */
function scrollTo(article: HTMLElement | null, span: Span): void {
  const paragraph = [...(article?.querySelectorAll<HTMLElement>('[data-start]') ?? [])].findLast(
    (sentence) => Number(sentence.dataset['start']) <= span.start,
  );
  if (paragraph === undefined || article === null) return;
  const [box, room] = [paragraph.getBoundingClientRect(), article.getBoundingClientRect()];
  if (box.top < room.top || box.bottom > room.bottom) paragraph.scrollIntoView({ block: 'center' });
}

/** Reports whether the focused control uses a key itself. */
function isOwnKey({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const name = target.tagName.toLowerCase();
  if (name === 'input' || name === 'select') return true;
  if (name === 'audio' || name === 'video') return key === ' ' || key.startsWith('Arrow');
  return (name === 'button' || name === 'vscode-button') && key === ' ';
}

/** Returns why a recording isn't played, or only in part. */
function noticeOf({ media, page, codecs, isVideo }: PlayerView, isBroken: boolean): string | undefined {
  if (page !== undefined) return t('Select a time to play it on its page in your browser.');
  if (media === undefined) return t('Can’t find the recording on this machine. The transcript is below.');
  if (isBroken) return t('VS Code can’t play this format. The transcript is below.');
  const cantPlay = (type: string | undefined): boolean =>
    type !== undefined &&
    /^\w+\/(?:mp4|webm|ogg|x-matroska);/.test(type) &&
    document.createElement('video').canPlayType(type) === '';
  if (cantPlay(codecs.audio))
    return isVideo
      ? t('VS Code can’t decode the audio in this file. The transcript is below.')
      : t('VS Code can’t play this format. The transcript is below.');
  return cantPlay(codecs.video)
    ? t('VS Code can’t decode the video in this file. The transcript is below.')
    : undefined;
}

function countInWords(words: string, current: number, total: number): string {
  if (words.trim() === '') return '';
  if (total === 0) return t('No matches');
  return t('{0} of {1}', Math.max(0, current + 1), total);
}
