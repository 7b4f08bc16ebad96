import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { PlayerView } from '../../src/features/recordings/protocol.ts';
import { clockTime } from '../../src/core/domain/recordings.ts';

interface ChaptersProps {
  readonly chapters: PlayerView['chapters'];
  /** Index of the chapter that plays; -1 before the first one. */
  readonly current: number;
  readonly onChoose: (seconds: number) => void;
}

/** Lists the chapters of a recording. A selected chapter plays. */
export function Chapters({ chapters, current, onChoose }: ChaptersProps): JSX.Element {
  return (
    <details class="chapters">
      <summary>
        {t('Chapters')}
        {current >= 0 && <span class="current">{chapters[current]?.title}</span>}
      </summary>
      <ol>
        {chapters.map(({ title, from }, i) => (
          <li key={from}>
            <button
              type="button"
              class="link"
              aria-current={i === current ? 'true' : undefined}
              onClick={() => onChoose(from)}
            >
              <span class="time">{clockTime(from)}</span>
              <span dir="auto">{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
