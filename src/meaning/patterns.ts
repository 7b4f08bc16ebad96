import * as v from 'valibot';
import { fields } from '../notebook/json-schemas.ts';
import { unknownStep } from './not-a-model.ts';

const patternSpec = fields({ String: v.string(), Regex: v.string() });

/** Escapes a text for a regular expression. */
export function literally(words: string): string {
  return words.replace(MEANT, '\\$&');
}

/** Signs that mean themselves in a pattern only behind a backslash. */
const MEANT = /[\\^$.*+?()[\]{}|/]/g;

/**
 * A pattern of a tokenizer.json, `{ "String": … }` or `{ "Regex": … }`, for all places of a text. Its regular expressions
 * are Oniguruma's; those that are written as JavaScript's are, which models have, are taken.
 * @throws NotebookError `unsupported`
 */
export function readPattern(spec: unknown): RegExp {
  const { String: words, Regex: expression } = v.parse(patternSpec, spec);
  if (words !== undefined && words !== '') return new RegExp(literally(words), 'gu');
  try {
    if (expression !== undefined) return new RegExp(expression, 'gu');
  } catch {
    // It is said below.
  }
  throw unknownStep(String(expression ?? words));
}
