import { partsOfPacks } from './words/pack-words.ts';

/** Finds words and signs by which a number isn't meant exactly. */
export const INEXACT_NUMBER = new RegExp(
  String.raw`\b(?:${partsOfPacks(({ inexactNumbers }) => inexactNumbers)})\b|[~≈<>±]`,
  'iu',
);
