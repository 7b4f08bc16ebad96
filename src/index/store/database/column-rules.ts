import type { SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';

/** Rule for a column's values. `instead` replaces invalid values; without it, the row is dropped. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly instead?: SQLInputValue;
  /** Damage in packed values is reported when they are unpacked. */
  readonly isPacked?: true;
}

/** Tables with the rules for their columns. */
export type TableRules = Readonly<Record<string, Readonly<Record<string, Rule>>>>;

/** Rows of a feature that are copied from a damaged database. */
export interface RecoverableRows {
  readonly rules: TableRules;
  /**
   * Returns SQL that restores the lost parents of rows, and deletes rows without use. `title` is the title of restored
   * rows, as an SQL literal.
   */
  readonly restore?: (title: string) => string;
}

export const text: Rule = { fits: (value) => typeof value === 'string' };
export const integer: Rule = { fits: (value) => Number.isSafeInteger(value) };
export const count: Rule = { fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0 };
export const amount: Rule = { fits: (value) => typeof value === 'number' && value >= 0 };
export const bytes: Rule = { fits: (value) => value instanceof Uint8Array, isPacked: true };

/** Replaces invalid values by `instead`. */
export function or(rule: Rule, instead: SQLInputValue): Rule {
  return { ...rule, instead };
}

/** Accepts no value as well, and replaces invalid values by none. */
export function maybe(rule: Rule): Rule {
  return { ...rule, fits: (value) => value === null || rule.fits(value), instead: null };
}

/** Returns a rule for one of some words. */
export function isAmong(words: readonly string[]): Rule {
  return { fits: (value) => words.some((word) => word === value) };
}

/** Returns a rule for JSON, of any content without a schema. */
export function json(schema: v.GenericSchema = v.unknown()): Rule {
  return {
    fits: (value) => {
      try {
        return typeof value === 'string' && v.is(schema, JSON.parse(value));
      } catch {
        // The text isn't JSON.
        return false;
      }
    },
  };
}
