// A model that checks facts by its own rules: a function decides whether a statement is true.
import type { LanguageModel } from '../../src/answers/models/language-model.ts';

/** Reports whether the evidence contains nearly all longer words and all numbers of the statement. */
function hasItsWords(statement: string, evidence: string): boolean {
  const words = (text: string): string[] => text.toLowerCase().match(/\d+(?:[.,]\d+)*|\p{L}{4,}/gu) ?? [];
  const known = new Set(words(evidence));
  const unknown = words(statement).filter((word) => !known.has(word));
  return unknown.length <= 0.2 * words(statement).length && !unknown.some((word) => /\d/.test(word));
}

/** A judge that records the statements of its requests. */
interface Judge extends LanguageModel {
  readonly prompts: string[];
}

/** Creates a model that answers requests of the fact check. */
export function makeJudge(isTrue = hasItsWords): Judge {
  const prompts: string[] = [];
  return {
    name: 'judge-1',
    prompts,
    async *stream(messages) {
      await Promise.resolve();
      yield judgeStatements(messages.at(-1)?.content ?? '', (statement, evidence) => {
        prompts.push(statement);
        return isTrue(statement, evidence);
      });
    },
  };
}

/**
 * Returns the reply to a request of the fact check. The deciding words are the first ones of the evidence that contains
 * the words of the statement.
 */
export function judgeStatements(
  prompt: string,
  isTrue: (statement: string, evidence: string) => boolean = hasItsWords,
): string {
  const statements = [...prompt.matchAll(/<(statement-\d+) n="(\d+)"[^>]*>\n([^]*?)\n<\/\1>/g)];
  const verdicts = statements.map(([, , n = '', statement = '']) => {
    const evidence = [
      ...prompt.matchAll(new RegExp(`<(evidence-\\d+) for="${n}"[^>]*>\\n([^]*?)\\n</\\1>`, 'g')),
    ].map(([, , text = '']) => text);
    if (!isTrue(statement, evidence.join('\n')))
      return { n: Number(n), verdict: 'not in the evidence', words: statement };
    const deciding = evidence.find((text) => hasItsWords(statement, text)) ?? evidence[0] ?? '';
    return { n: Number(n), verdict: 'supported', words: deciding.trim().split(/\s+/).slice(0, 4).join(' ') };
  });
  return JSON.stringify(verdicts);
}
