// A model that writes after templates by rules: it makes its text of the sentences that it is shown, with their numbers.
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { MERGE_PROMPT, NOTES_PROMPT } from '../../src/features/artifacts/service/requests.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

/**
 * `mixes` adds a sentence without a source, `lies` writes only such sentences, and `obeys` follows instructions in
 * sources.
 */
export type WriterScript = 'empty' | 'fails' | 'good' | 'lies' | 'mixes' | 'obeys';
type WriterPurpose = 'merge' | 'notes' | 'whole' | 'write';

interface WriterRequest {
  readonly purpose: WriterPurpose;
  readonly content: string;
  /** Estimated. */
  readonly tokens: number;
}

interface ScriptedWriter extends LanguageModel {
  readonly requests: readonly WriterRequest[];
}

const LIE = 'The emperor of the moon sold seven whales to a baker in Lisbon.';
const MAX_REPLIES = 4;

/** `from` is the request, from 1 on, from which on the script counts; before it the model is good. */
export function scriptedWriter({
  script = 'good',
  from = 1,
  windowTokens = 32_000,
  onRequest,
}: {
  readonly script?: WriterScript;
  readonly from?: number;
  readonly windowTokens?: number;
  readonly onRequest?: (count: number) => void;
} = {}): ScriptedWriter {
  const requests: WriterRequest[] = [];
  return {
    name: 'scripted-writer',
    windowTokens,
    requests,
    async *stream(messages, { signal }) {
      await Promise.resolve();
      const content = messages.map((message) => message.content).join('\n\n');
      const purpose = writerPurpose(content);
      requests.push({ purpose, content, tokens: estimateTokens(content) });
      onRequest?.(requests.length);
      if (signal.aborted) throw new NotebookError('cancelled', 'Stopped.');
      const now = requests.length < from ? 'good' : script;
      if (now === 'fails') throw new NotebookError('rate-limited', 'The model has no time.');
      yield* now === 'empty' ? [] : [writtenReply(content, now)];
    },
  };
}

function writerPurpose(content: string): WriterPurpose {
  if (content.includes(NOTES_PROMPT)) return 'notes';
  if (content.includes(MERGE_PROMPT)) return 'merge';
  return /<notes-\d+>/.test(content) ? 'write' : 'whole';
}

/** Returns the model's reply to a request: sentences from it, each with its number. */
export function writtenReply(content: string, script: WriterScript = 'good'): string {
  if (script === 'lies') return LIE;
  if (script === 'obeys') return 'The king is dead.';
  const items =
    writerPurpose(content) === 'notes' || writerPurpose(content) === 'whole'
      ? [...content.matchAll(/<passage-\d+ n="(\d+)"[^>]*>\n([^<]*)/g)].flatMap(
          ([, number = '', text = '']) =>
            text
              .split('\n')
              .filter((line) => /^[A-Z].*\.$/.test(line))
              .slice(0, MAX_REPLIES)
              .map((line) => `- ${line.slice(0, -1)} [${number}].`),
        )
      : [...content.matchAll(/^- .*\[\d+\].*$/gm)].map(([line]) => line);
  const mergedItems =
    writerPurpose(content) === 'merge' ? items.filter((_, index) => index % 3 === 0) : items;
  return [...mergedItems, ...(script === 'mixes' ? [`- ${LIE}`] : [])].join('\n');
}
