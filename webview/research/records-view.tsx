import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { RecordedEvent, RecordPage, ResearchRecord } from '../../src/features/research/model/project.ts';
import { duration } from '../shared/words.ts';
import { ResearchHostContext } from './host.ts';

/** Shows the activity log of a step, or of a whole research project, oldest first: the newest entries, and more on request. */
export function Records({
  revision,
  stepId,
}: {
  /** Increases with changes, which load new records. */
  readonly revision: number;
  readonly stepId: string | undefined;
}): JSX.Element {
  const host = useContext(ResearchHostContext);
  const [page, setPage] = useState<RecordPage>();
  const list = useRef<HTMLOListElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isLoading = useRef(false);
  const first = page?.records[0]?.id;
  const last = page?.records.at(-1)?.id;
  const showProblem = (error: unknown): void => host.showProblem(errorMessage(error));
  useEffect(() => {
    if (last === undefined) {
      host.client.call('latestRecords', { stepId, before: undefined }).then(setPage, showProblem);
      return;
    }
    // A request during another one gets some records again.
    host.client
      .call('records', { stepId, after: last })
      .then((newer) => setPage((shown) => shown && withNewer(shown, newer)), showProblem);
  }, [host, stepId, revision]);
  const showEarlier = (): void => {
    if (isLoading.current) return;
    isLoading.current = true;
    host.client
      .call('latestRecords', { stepId, before: first })
      .then((earlier) => {
        // The button disappears with the focus.
        if (!earlier.hasEarlier && document.activeElement === button.current) list.current?.focus();
        setPage((shown) => shown && { ...earlier, records: [...earlier.records, ...shown.records] });
      }, showProblem)
      .finally(() => {
        isLoading.current = false;
      });
  };
  if (page === undefined) return <p class="quiet">{t('Reading…')}</p>;
  if (page.records.length === 0) return <p class="quiet empty">{t('No activity yet.')}</p>;
  return (
    <>
      {page.hasEarlier && (
        <button type="button" class="link" ref={button} onClick={showEarlier}>
          {t('Show earlier entries')}
        </button>
      )}
      <ol class="plain-list records" ref={list} tabIndex={-1} aria-label={t('Activity Log')}>
        {page.records.map((record) => (
          <li key={record.id}>
            <RecordView record={record} />
          </li>
        ))}
      </ol>
    </>
  );
}

function withNewer(page: RecordPage, newer: readonly ResearchRecord[]): RecordPage {
  const last = page.records.at(-1)?.id ?? 0;
  return { ...page, records: [...page.records, ...newer.filter(({ id }) => id > last)] };
}

function RecordView({ record: { event, at } }: { readonly record: ResearchRecord }): JSX.Element {
  const time = new Date(at);
  const [isOpen, setIsOpen] = useState(false);
  const head = (
    <>
      <span class={`codicon codicon-${eventIcon(event)}`} aria-hidden="true" />
      <span class="words" dir="auto">
        {eventTitle(event)}
      </span>
      <time class="quiet" dateTime={time.toISOString()} title={time.toLocaleString()}>
        {time.toLocaleTimeString()}
      </time>
    </>
  );
  if (event.kind === 'deed' && event.text === undefined) return <p class="record">{head}</p>;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="record">{head}</summary>
      {isOpen && <RecordBody event={event} />}
    </details>
  );
}

function eventIcon({ kind }: RecordedEvent): string {
  const icons: Record<RecordedEvent['kind'], string> = {
    deed: 'account',
    request: 'hubot',
    'sent-back': 'discard',
    tool: 'tools',
  };
  return icons[kind];
}

function eventTitle(event: RecordedEvent): string {
  switch (event.kind) {
    case 'request':
      return [
        event.purpose,
        event.model,
        t('{0} tokens in, {1} out', event.input.toLocaleString(), event.output.toLocaleString()),
        duration(event.time),
        ...(event.error === undefined ? [] : [event.error]),
      ].join(' · ');
    case 'tool':
      return [event.skill, duration(event.time), ...(event.error === undefined ? [] : [event.error])].join(
        ' · ',
      );
    case 'sent-back':
      return t('Returned for revision: {0}', event.problems.join(' '));
    case 'deed':
      return [event.deed, event.by.kind === 'user' ? t('You') : t('Model {0}', event.by.name)].join(' · ');
  }
}

function RecordBody({ event }: { readonly event: RecordedEvent }): JSX.Element {
  switch (event.kind) {
    case 'request':
      return (
        <dl>
          {event.messages.map(({ role, content }, index) => (
            <RecordPart key={index} name={role} text={content} />
          ))}
          <RecordPart name={t('reply')} text={event.reply} />
        </dl>
      );
    case 'tool':
      return (
        <dl>
          <RecordPart name={t('input')} text={JSON.stringify(event.input, undefined, 2)} />
          <RecordPart name={t('result')} text={event.result} />
        </dl>
      );
    case 'deed':
      return <dl>{event.text !== undefined && <RecordPart name={t('text')} text={event.text} />}</dl>;
    case 'sent-back':
      return (
        <dl>
          <RecordPart name={t('submitted result')} text={event.text} />
        </dl>
      );
  }
}

function RecordPart({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <pre tabIndex={0} dir="auto">
          {text}
        </pre>
      </dd>
    </>
  );
}
