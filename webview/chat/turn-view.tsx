import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { Answer, AnswerFailure, Turn, FiguresOffered } from '../../src/core/domain/answer.ts';
import type {
  CitationChange,
  FactCheckFailure,
  FactCheckOffer,
  SemanticSearchOffer,
} from '../../src/features/chat/protocol.ts';
import type { ErrorAction } from '../../src/core/domain/errors.ts';
import { Button, ProgressRing } from '../shared/toolkit.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerVersions } from './answer-versions.tsx';
import { ChangedSources, withNamesNow } from './changed-sources.tsx';
import { AnswerContext } from '../cited/citation-chips.tsx';
import { CorrectionView } from '../cited/correction-view.tsx';
import { HostContext } from './host.ts';
import { FactCheckQuestion, ModelOffer, SemanticSearchLine } from './offers.tsx';
import { Question } from './question.tsx';
import { QuotedAnswer } from './quoted-answer.tsx';
import { SourceList } from './source-list.tsx';
import { Suggestions } from './suggestions.tsx';
import { nameOfQuestion, summary, usage } from './words.ts';
import { WrittenAnswer } from '../cited/written-answer.tsx';

interface TurnViewProps {
  readonly turn: Turn;
  /** Status of the answer, while it is in progress. */
  readonly status: string | undefined;
  /** The model that is picked. */
  readonly model: string | undefined;
  /** `true` to offer a model if none is selected. */
  readonly offersModel: boolean;
  /** The offer of a local embedding model, if it's made under this turn. */
  readonly semanticSearchOffer: SemanticSearchOffer | undefined;
  /** Offer to check every answer with a model, if it's made under this turn. */
  readonly factCheckOffer: FactCheckOffer | undefined;
  /** Reason why the answer isn't fact-checked, if its check failed. */
  readonly factCheckFailure: FactCheckFailure | undefined;
  /** `true` for the last turn of the conversation. */
  readonly isLast: boolean;
  /** Changes of its citations; undefined if there are none. */
  readonly changes: readonly CitationChange[] | undefined;
}

/** Shows a question and its answer. Renders again only if the turn changed. */
export function TurnView(props: TurnViewProps): JSX.Element {
  const {
    turn: stored,
    status,
    model,
    offersModel,
    semanticSearchOffer,
    factCheckOffer,
    factCheckFailure,
    isLast,
    changes,
  } = props;
  return useMemo(() => {
    const turn = { ...stored, answer: stored.answer && withNamesNow(stored.answer, changes) };
    return (
      <article
        class="turn"
        data-turn={turn.id}
        aria-label={t('Question: {0}', nameOfQuestion(turn.question))}
      >
        <Question turn={turn} />
        {turn.answer !== undefined && (
          <AnswerView
            turn={turn}
            answer={turn.answer}
            // An answer is checked after its end, if at all.
            isChecking={status !== undefined && turn.state.kind !== 'answering'}
            changes={changes}
          />
        )}
        {turn.state.kind !== 'answering' && <ChangedSources turnId={turn.id} changes={changes} />}
        <AnswerVersions turn={turn} />
        <TurnEnd {...props} turn={turn} />
      </article>
    );
    // The same changes arrive again with each state of the panel.
  }, [
    stored,
    status,
    model,
    offersModel,
    semanticSearchOffer,
    factCheckOffer,
    factCheckFailure,
    isLast,
    JSON.stringify(changes),
  ]);
}

function AnswerView({
  turn: { id: turnId, state },
  answer,
  isChecking,
  changes,
}: {
  readonly turn: Turn;
  readonly answer: Answer;
  readonly isChecking: boolean;
  readonly changes: readonly CitationChange[] | undefined;
}): JSX.Element {
  const { client } = useContext(HostContext);
  const isGrowing = state.kind === 'answering';
  const [corrected, setCorrected] = useState<number>();
  // A proposed correction is of no use for another answer.
  useEffect(() => {
    if (isGrowing) setCorrected(undefined);
  }, [isGrowing]);
  const context = useMemo(
    () => ({
      turnId,
      citations: answer.citations,
      isChecking,
      correct: isGrowing || isChecking ? undefined : setCorrected,
      changes: changes && new Map(changes.map(({ citation, kind }) => [citation, kind])),
    }),
    [turnId, answer.citations, isChecking, isGrowing, changes],
  );
  return (
    <AnswerContext.Provider value={context}>
      <div class="answer markdown">
        {answer.kind === 'written' && <WrittenAnswer answer={answer} isGrowing={isGrowing} />}
        {answer.kind === 'quotes' && <QuotedAnswer answer={answer} />}
        {answer.kind === 'nothing' && <p dir="auto">{answer.text}</p>}
      </div>
      <CorrectionView
        client={client}
        turnId={turnId}
        statement={corrected}
        isCorrected={!isGrowing && answer.beforeCorrection !== undefined}
        onClose={() => setCorrected(undefined)}
      />
    </AnswerContext.Provider>
  );
}

function TurnEnd(props: TurnViewProps): JSX.Element {
  const { turn, status } = props;
  const { state } = turn;
  switch (state.kind) {
    case 'answering':
      return (
        <p class="progress">
          <ProgressRing />
          <span>{status ?? t('Reading the sources…')}</span>
        </p>
      );
    case 'done':
      return <AnswerEnd {...props} />;
    case 'stopped':
      return <Broken turn={turn} words={t('This answer was stopped.')} />;
    case 'interrupted':
      return <Broken turn={turn} words={t('The window closed before the answer was complete.')} />;
    case 'failed':
      return <Failure turn={turn} failure={state.failure} />;
  }
}

function AnswerEnd({
  turn,
  status,
  model,
  offersModel,
  semanticSearchOffer,
  factCheckOffer,
  factCheckFailure,
  isLast,
}: TurnViewProps): JSX.Element {
  const { answer } = turn;
  return (
    <footer>
      {answer?.kind === 'nothing' && answer.like === undefined && <NothingFound turn={turn} />}
      {status !== undefined && <Checking turnId={turn.id} status={status} />}
      <div class="summary">
        <SummaryLine turn={turn} />
        <AnswerActions turn={turn} model={model} isChecked={status !== undefined} />
      </div>
      {answer?.isIncomplete === true && <IncompleteNote turnId={turn.id} />}
      {factCheckOffer !== undefined && <FactCheckQuestion offer={factCheckOffer} />}
      {factCheckFailure !== undefined && <CheckFailure failure={factCheckFailure} />}
      {answer?.figures !== undefined && (
        <FiguresLine turnId={turn.id} offered={answer.figures} model={model} />
      )}
      {answer !== undefined && <SourceList turnId={turn.id} answer={answer} />}
      {isLast && offersModel && answer?.kind === 'quotes' && answer.like === undefined && (
        <ModelOffer turnId={turn.id} />
      )}
      {semanticSearchOffer !== undefined && <SemanticSearchLine offer={semanticSearchOffer} />}
      {isLast && answer !== undefined && answer.citations.length > 0 && (
        <Suggestions turnId={turn.id} of={turn.state.kind === 'done' ? turn.state.milliseconds : 0} />
      )}
    </footer>
  );
}

/** Shows that an answer may miss parts of the sources, with a button to answer the question again. */
function IncompleteNote({ turnId }: { readonly turnId: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <p class="broken">
      {t('Open Notebook was rebuilding its index, so this answer may miss parts of your sources.')}{' '}
      <button type="button" class="link" onClick={() => host.start('retry', { turnId })}>
        {t('Try Again')}
      </button>
    </p>
  );
}

/** Shows why an answer isn't fact-checked, with a button to check it again. */
function CheckFailure({ failure }: { readonly failure: FactCheckFailure }): JSX.Element {
  const host = useContext(HostContext);
  const { turnId, message, action } = failure;
  return (
    <p class="broken">
      <span dir="auto">{message}</span>{' '}
      {action !== undefined && action !== 'addAskedFile' && action !== 'tryAgain' && (
        <>
          <button type="button" class="link" onClick={() => host.start('run', { command: action })}>
            {waysOut[action]()}
          </button>{' '}
        </>
      )}
      <button type="button" class="link" onClick={() => host.start('checkWithModel', { turnId })}>
        {t('Try Again')}
      </button>
    </p>
  );
}

/** Shows the progress of a fact check, with a button to stop it. */
function Checking({ turnId, status }: { readonly turnId: string; readonly status: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <p class="progress">
      <ProgressRing />
      <span>{status}</span>
      <button type="button" class="link" onClick={() => host.start('stopCheck', { turnId })}>
        {t('Stop')}
      </button>
    </p>
  );
}

function Broken({ turn, words }: { readonly turn: Turn; readonly words: string }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <footer>
      <p class="broken">
        {words}{' '}
        <button type="button" class="link" onClick={() => host.start('retry', { turnId: turn.id })}>
          {t('Try Again')}
        </button>
      </p>
      <WhatItTook turn={turn} />
      {turn.answer !== undefined && <SourceList turnId={turn.id} answer={turn.answer} />}
    </footer>
  );
}

const waysOut: Readonly<Record<Exclude<ErrorAction, 'tryAgain'>, () => string>> = {
  addAskedFile: () => t('Add to Notebook'),
  addSources: () => t('Add Sources'),
  openSettings: () => t('Open Settings'),
  pickModel: () => t('Pick Model'),
  pickScope: () => t('Choose Search Scope'),
  setApiKey: () => t('Set API Key'),
  showLog: () => t('Show Log'),
};

function Failure({ turn, failure }: { readonly turn: Turn; readonly failure: AnswerFailure }): JSX.Element {
  const host = useContext(HostContext);
  const { action, message } = failure;
  const hasOwnWay = action !== undefined && action !== 'tryAgain';
  return (
    <footer class="failure">
      <p>
        <span class="codicon codicon-error" aria-hidden="true" />
        <span dir="auto">{message}</span>
      </p>
      <div class="ways">
        {hasOwnWay && (
          <Button
            label={waysOut[action]()}
            onPress={() => {
              if (action === 'addAskedFile') host.start(action, { turnId: turn.id });
              else host.start('run', { command: action });
            }}
          />
        )}
        <Button
          label={t('Try Again')}
          look={hasOwnWay ? 'secondary' : 'primary'}
          onPress={() => host.start('retry', { turnId: turn.id })}
        />
      </div>
      <WhatItTook turn={turn} />
    </footer>
  );
}

/** Shows the token usage of an incomplete answer. */
function WhatItTook({ turn }: { readonly turn: Turn }): JSX.Element | null {
  if (turn.usage === undefined) return null;
  return (
    <div class="summary">
      <SummaryLine turn={turn} />
    </div>
  );
}

/** Shows the quiet line under an answer. If a model was used, a click adds its token usage. */
function SummaryLine({ turn }: { readonly turn: Turn }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  if (turn.usage === undefined) return <Parts of={summary(turn)} />;
  const used = usage(turn.usage);
  const words = summary(turn);
  if (words === '') return <Parts of={used} />;
  return (
    <button
      type="button"
      class="summary-line"
      title={used}
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <Parts of={isOpen ? `${words} · ${used}` : words} />
    </button>
  );
}

/** Shows the parts of a line. Each stays whole if there is room, with its dot after it. */
function Parts({ of }: { readonly of: string }): JSX.Element {
  const parts = of.split(' · ');
  return (
    <span>
      {parts.map((part, index) => (
        <>
          {index > 0 && ' '}
          <span class="part">{index < parts.length - 1 ? `${part} ·` : part}</span>
        </>
      ))}
    </span>
  );
}

/** Shows options if the notebook has no answer: add sources, or search all of them. */
function NothingFound({ turn }: { readonly turn: Turn }): JSX.Element {
  const host = useContext(HostContext);
  return (
    <div class="nothing-found">
      <div class="ways">
        <Button
          label={t('Add Files')}
          look="secondary"
          onPress={() => host.start('run', { command: 'addFiles' })}
        />
        <Button
          label={t('Add Web Page')}
          look="secondary"
          onPress={() => host.start('run', { command: 'addPage' })}
        />
      </div>
      {turn.scope !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => host.start('retry', { turnId: turn.id, whole: true })}
        >
          {t('Ask the whole notebook')}
        </button>
      )}
    </div>
  );
}

interface FiguresLineProps {
  readonly turnId: string;
  readonly offered: FiguresOffered;
  /** The model that is picked. */
  readonly model: string | undefined;
}

/** Shows under an answer what happened to the figures that its question requests. */
function FiguresLine({ turnId, offered: offer, model = t('The model') }: FiguresLineProps): JSX.Element {
  const host = useContext(HostContext);
  const names = [...new Set(offer.figures.map(({ name }) => (name === '' ? t('Figure') : name)))].join(', ');
  switch (offer.kind) {
    case 'sent':
      return <p class="figure-status">{t('Sent to the model: {0}', names)}</p>;
    case 'refused':
      return (
        <p class="figure-status">
          {t('{0} doesn’t accept images, so the answer uses only the text. Not used: {1}.', model, names)}
        </p>
      );
    case 'undrawn':
      return <p class="figure-status">{t('Not sent to the model: {0}. {1}', names, offer.reason)}</p>;
    case 'offered':
      return (
        <p class="figure-status">
          {t('Not sent to the model: {0}.', names)}{' '}
          <button
            type="button"
            class="link"
            title={t(
              'From now on, Open Notebook sends images of the figures that you ask about to {0}. This may cost money. You can turn this off in Settings.',
              offer.to,
            )}
            onClick={() => host.start('sendFigures', { turnId })}
          >
            {t('Send images to {0} and ask again', offer.to)}
          </button>
        </p>
      );
  }
}
