import { t } from '@vscode/l10n';
import { NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { QuestionInput } from './answer-question.ts';
import type { Background } from './background.ts';
import { readingStatus } from './background.ts';
import { checkSentence } from './checker.ts';
import { readCitationMarks } from './citation-marks.ts';
import { startCitations } from './citations.ts';
import { prepareEvidence } from './evidence.ts';
import { measuredPrompt } from './measured-prompt.ts';
import type { LanguageModel } from './models/language-model.ts';
import { withoutThinking } from './models/without-thinking.ts';

const NO_PASSAGES =
  'No passage of the notebook was found for this. Answer from what you know, and say first that you do.';

/** Has the model write an answer from passages, and checks it sentence by sentence while it streams. @throws NotebookError */
export async function writeAnswer(
  model: LanguageModel,
  read: readonly FoundPassage[],
  backgroundOf: (read: readonly FoundPassage[]) => Promise<Background>,
  input: QuestionInput,
): Promise<void> {
  const { question, history, instructions, signal, emit } = input;
  const prompt = await measuredPrompt(
    model,
    {
      question: read.length === 0 ? `${question}\n\n${NO_PASSAGES}` : question,
      history,
      passages: read,
      instructions,
    },
    signal,
  );
  throwIfCancelled(signal);
  if (read.length > 0) emit(readingStatus(prompt.passages));
  const background = await backgroundOf(prompt.passages);
  const evidence = prepareEvidence(prompt.passages);
  const citations = startCitations(input.passages);
  const marks = readCitationMarks(prompt.passages.length);
  let text = '';
  // Sentences are checked and told one after the other while more text streams in.
  let told = Promise.resolve();

  const tell = (more: ReturnType<typeof marks.push>): void => {
    if (text === '' && more.text !== '') {
      emit({
        kind: 'started',
        answer: {
          kind: 'written',
          model: model.name,
          ...(prompt.isCut && { isCut: true }),
          text: '',
          statements: [],
          citations: [],
          ...background,
        },
      });
      emit({ kind: 'status', text: t('Writing…') });
    }
    if (more.text !== '') emit({ kind: 'text', delta: more.text });
    text += more.text;
    for (const sentence of more.sentences) {
      const cited = sentence.numbers.map((number) => number - 1);
      const check = checkSentence(text.slice(sentence.start, sentence.end), cited, evidence);
      told = told.then(async () => {
        if (!signal.aborted) emit(await citations.state(sentence, check));
      });
      // A failure is thrown below, once the stream has ended.
      told.catch(() => undefined);
    }
  };

  emit({ kind: 'status', text: t('Waiting for {0}…', model.name) });
  try {
    for await (const delta of withoutThinking(model.stream(prompt.messages, { signal }))) {
      throwIfCancelled(signal);
      tell(marks.push(delta));
    }
  } finally {
    // What had arrived is kept, and its sentences checked, however the stream ended.
    tell(marks.end());
    await told.catch(() => undefined);
  }
  throwIfCancelled(signal);
  await told;
  if (text === '') {
    throw new NotebookError(
      'empty',
      t('{0} sent an empty answer. Try again or choose another model.', model.name),
      {
        action: 'tryAgain',
      },
    );
  }
}
