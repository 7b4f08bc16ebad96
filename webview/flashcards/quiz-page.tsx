import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShownQuiz } from '../../src/features/flashcards/protocol.ts';
import type { Quiz, QuizQuestion } from '../../src/features/flashcards/model.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { Button } from '../shared/toolkit.tsx';
import { CardWords, SourceLink, UncheckedMark } from './card-face.tsx';
import { CardsHost, isTypedInto, useChanges } from './host.ts';
import { OfSources } from './of-sources.tsx';

/** Shows a quiz: one question after another, and the score. */
export function QuizPage({ first }: { readonly first: ShownQuiz }): JSX.Element {
  const { client } = useContext(CardsHost);
  const [shown, setShown] = useState(first);
  const [at, setAt] = useState(() => firstOpen(first.quiz));
  /** Number of actions on this page. Results from before the last action are outdated. */
  const actionCount = useRef(0);
  const { quiz } = shown;
  const next = useRef<HTMLButtonElement>(null);
  const choices = useRef<HTMLDivElement>(null);
  const { title, questions, replies } = quiz;
  const question = questions[at];
  const reply = replies[at] ?? null;
  const answered = questions.filter((_, index) => (replies[index] ?? null) !== null).length;
  const right = questions.filter((quizQuestion, index) => replies[index] === quizQuestion.right).length;

  const choose = (choice: number): void => {
    if (reply !== null || question === undefined || choice >= question.choices.length) return;
    const chosen = questions.map((_, index) => (index === at ? choice : (replies[index] ?? null)));
    actionCount.current++;
    setShown({ ...shown, quiz: { ...quiz, replies: chosen } });
    ignoreFailure(client.call('reply', { question: at, choice }));
  };
  const open = (index: number, beside: boolean): void =>
    ignoreFailure(client.call('open', { of: index, beside }));
  const again = (): void => {
    actionCount.current++;
    setShown({ ...shown, quiz: { ...quiz, replies: [] } });
    client.call('again', {}).then(
      () => setAt(0),
      () => undefined,
    );
  };
  /** Reloads the quiz, and keeps the current question even if its position changed. */
  const look = (): void => {
    const done = actionCount.current;
    client.call('quiz', {}).then(
      (fresh) => {
        if (done !== actionCount.current) return;
        setShown(fresh);
        const questionsKey = JSON.stringify(fresh.quiz.questions);
        if (questionsKey === JSON.stringify(questions)) return;
        const same = fresh.quiz.questions.findIndex(
          (quizQuestion) => quizQuestion.question === question?.question,
        );
        setAt(same < 0 ? firstOpen(fresh.quiz) : same);
      },
      () => undefined,
    );
  };
  useChanges(look);

  useEffect(() => {
    if (reply !== null) next.current?.focus();
    else choices.current?.focus();
  }, [at, reply]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTypedInto(event)) return;
      const key = event.key.toLowerCase();
      const choice = Number(key) - 1;
      if (reply === null && Number.isInteger(choice) && choice >= 0) choose(choice);
      else if (key === 'o' && reply !== null) open(at, event.shiftKey);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  return (
    <div class="quiz">
      <header>
        <h1 class="ellipsis" dir="auto">
          {title}
        </h1>
        <p class="quiet" role="status">
          {t('{0} of {1} answered', answered, questions.length)} · {t('{0} correct', right)}
        </p>
        <OfSources {...shown} onRefresh={() => ignoreFailure(client.call('updateFromSources', {}))} />
        <progress aria-label={t('Answered')} value={answered} max={questions.length} />
      </header>
      {question === undefined ? (
        <Score quiz={quiz} right={right} onOpen={open} onAgain={again} />
      ) : (
        <main class="review">
          <article class="card" aria-label={t('Question {0}', at + 1)}>
            <CardWords text={question.question} />
          </article>
          <div class="choices" role="group" tabIndex={-1} ref={choices} aria-label={t('Answer choices')}>
            {question.choices.map((words, index) => (
              <button
                type="button"
                key={index}
                class={`choice ${choiceMark(question, reply, index)}`}
                aria-disabled={reply !== null}
                onClick={() => choose(index)}
              >
                <kbd aria-hidden="true">{index + 1}</kbd>
                <span dir="auto">{words}</span>
                <Mark question={question} reply={reply} index={index} />
              </button>
            ))}
          </div>
          {reply !== null && (
            <section class="back" aria-live="polite">
              <p>
                <strong>{reply === question.right ? t('Correct.') : t('Incorrect.')}</strong>
              </p>
              {question.reason !== '' && <CardWords text={question.reason} />}
              {question.citation !== undefined && (
                <SourceLink
                  title={question.citation.title}
                  place={question.citation.place}
                  onOpen={(beside) => open(at, beside)}
                />
              )}
              {question.citation?.isUnchecked === true && <UncheckedMark />}
              <p class="tools">
                <button type="button" ref={next} class="grade show" onClick={() => setAt(nextOpen(quiz, at))}>
                  {answered === questions.length ? t('Show Score') : t('Next Question')}
                </button>
              </p>
            </section>
          )}
        </main>
      )}
    </div>
  );
}

function Mark({
  question,
  reply,
  index,
}: {
  readonly question: QuizQuestion;
  readonly reply: number | null;
  readonly index: number;
}): JSX.Element | null {
  const mark = choiceMark(question, reply, index);
  if (mark === '') return null;
  return (
    <>
      <span class={`codicon codicon-${mark === 'right' ? 'check' : 'close'}`} aria-hidden="true" />
      <span class="visually-hidden">{mark === 'right' ? t('correct') : t('incorrect')}</span>
    </>
  );
}

function choiceMark({ right }: QuizQuestion, reply: number | null, index: number): string {
  if (reply === null) return '';
  return index === right ? 'right' : index === reply ? 'wrong' : '';
}

function Score({
  quiz: { questions, replies },
  right,
  onOpen,
  onAgain,
}: {
  readonly quiz: Quiz;
  readonly right: number;
  readonly onOpen: (index: number, beside: boolean) => void;
  readonly onAgain: () => void;
}): JSX.Element {
  const { client } = useContext(CardsHost);
  const wrong = questions.flatMap((question, index) =>
    replies[index] === question.right ? [] : [{ question, index }],
  );
  return (
    <main class="nothing">
      <h2>{t('{0} of {1} correct', right, questions.length)}</h2>
      <p class="tools">
        {wrong.length > 0 && (
          <Button
            label={t('Create Cards from Wrong Answers')}
            onPress={() => ignoreFailure(client.call('learnWrong', {}))}
          />
        )}
        <Button label={t('Restart Quiz')} look="secondary" onPress={onAgain} />
      </p>
      {wrong.length > 0 && (
        <ol class="wrong">
          {wrong.map(({ question, index }) => (
            <li key={index}>
              <CardWords text={question.question} />
              <p>
                <strong dir="auto">{question.choices[question.right]}</strong>
              </p>
              {question.citation !== undefined && (
                <SourceLink
                  title={question.citation.title}
                  place={question.citation.place}
                  onOpen={(beside) => onOpen(index, beside)}
                />
              )}
            </li>
          ))}
        </ol>
      )}
    </main>
  );
}

/** Returns the index of the first question without an answer, or the end if there is none. */
function firstOpen(quiz: Quiz): number {
  return nextOpen(quiz, -1);
}

function nextOpen({ questions, replies }: Quiz, from: number): number {
  const isOpen = (index: number): boolean => (replies[index] ?? null) === null;
  const open = questions.flatMap((_, index) => (isOpen(index) ? [index] : []));
  return open.find((index) => index > from) ?? open[0] ?? questions.length;
}
