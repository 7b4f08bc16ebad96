import * as v from 'valibot';
import { fields } from '../../../core/domain/json-schemas.ts';
import { unknownStep } from './not-a-model.ts';

const patternSpec = fields({ String: v.string(), Regex: v.string() });

/** Escapes a text for a regular expression. */
export function literally(words: string): string {
  return words.replace(MEANT, '\\$&');
}

/** Characters that need a backslash in a regular expression. */
const MEANT = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Reads a pattern of a tokenizer.json, `{ "String": … }` or `{ "Regex": … }`, as a global regular expression. The
 * format uses Oniguruma's syntax. Expressions that are also valid in JavaScript are supported, which covers those of
 * actual models.
 * @throws NotebookError `unsupported`
 */
export function readPattern(spec: unknown): RegExp {
  const { String: words, Regex: expression } = v.parse(patternSpec, spec);
  if (words !== undefined && words !== '') return new RegExp(literally(words), 'gu');
  try {
    if (expression !== undefined) return new RegExp(expression, 'gu');
  } catch {
    // The error is thrown below.
  }
  throw unknownStep(String(expression ?? words));
}
