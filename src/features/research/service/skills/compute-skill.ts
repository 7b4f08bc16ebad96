import * as v from 'valibot';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { checkedSkill } from './checked-skill.ts';
import type { Values } from './expressions.ts';

const MAX_EXPRESSIONS = 20;
const MAX_LIST_LENGTH = 10_000;

/** Matches `total = …`, which names a value for later lines. */
const NAMED = /^\s*([A-Za-z_]\w{0,60})\s*=(?![=])(.*)$/s;

const words = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** Skill for computations. */
export const computeSkill = checkedSkill({
  name: 'compute',
  description:
    'Computes arithmetic and statistics exactly, such as sums, shares, growth, means, and deviations. Runs no code.',
  guide:
    'Find the figures in the inputs or the sources, compute with them, and submit the result: each figure in a sentence with its citation, then the expression and its value.',
  input: v.object({
    expressions: v.pipe(
      v.union([v.pipe(v.array(words), v.minLength(1), v.maxLength(MAX_EXPRESSIONS)), words]),
      v.description(
        'Such as "(b - a) / a * 100" or "total = sum(sales)": numbers without thousands separators and units, the values, names assigned earlier with =, + - * / ^ %, and functions such as round, sqrt, sum, mean, median, std, min, max, corr.',
      ),
    ),
    values: v.optional(
      v.pipe(
        v.record(
          v.string(),
          v.union([v.number(), v.pipe(v.array(v.number()), v.maxLength(MAX_LIST_LENGTH))]),
        ),
        v.description('Numbers and lists of numbers by the names that the expressions use.'),
      ),
    ),
  }),
  run: async ({ expressions, values = {} }) => {
    const { compute } = await import('./expressions.ts');
    const known = new Map<string, Values[string]>(Object.entries(values));
    const lines = [expressions].flat().map((expression) => {
      const [, name, right = expression] = NAMED.exec(expression) ?? [];
      try {
        const result = compute(right.trim(), Object.fromEntries(known));
        if (name !== undefined && Number.isFinite(Number(result))) known.set(name, Number(result));
        return `${expression} = ${result}`;
      } catch (error) {
        if (error instanceof NotebookError) return error.message;
        throw error;
      }
    });
    return { text: lines.join('\n') };
  },
});
