/**
 * Phrases of license headers, disclaimers, safe-harbor statements, and closing clauses of contracts, which are the same
 * in every document that has them. Each has a part in lower case without blanks, which is found faster.
 */
const PHRASES: readonly (readonly [part: string, phrase: RegExp])[] = [
  ['reserved', /\ball rights reserved\b/i],
  ['vorbehalten', /\balle rechte vorbehalten\b/i],
  ['réservés', /\btous droits réservés\b/i],
  ['granted', /\bpermission is hereby granted\b/i],
  ['spdx', /\bSPDX-License-Identifier\b/],
  ['licensed', /\blicensed under the\b.{0,60}\blicense\b/i],
  ['warrant', /\bwithout warrant(?:y|ies) (?:of any kind|or conditions)\b/i],
  ['warrant', /\bimplied warrant(?:y|ies)\b/i],
  ['event', /\bin no event shall\b/i],
  ['forward-looking', /\bforward-looking statements?\b/i],
  ['differ', /\bactual results (?:could|may|might|to) differ\b/i],
  ['undertake', /\bundertakes? no (?:obligation|duty) to (?:publicly )?(?:update|revise)\b/i],
  ['harbor', /\bsafe harbor provisions?\b/i],
  ['zukunftsgerichtete', /\bzukunftsgerichtete aussagen\b/i],
  ['prospectives', /\bdéclarations prospectives\b/i],
  ['constitute', /\bconstitutes? the entire agreement\b/i],
  ['witness', /\bin witness whereof\b/i],
  ['held', /\bheld (?:invalid|to be invalid|unenforceable|invalid or unenforceable)\b/i],
  ['executed', /\bhave executed this agreement\b/i],
];

/** Maximum length of text that is examined, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Words of questions about such text. */
export const BOILERPLATE_WORDS =
  'license licensed licence warranty warranties liable liability copyright permission permitted legal agreement agreements contract clause clauses invalid unenforceable forward-looking harbor disclaimer rights obligation Lizenz Haftung Gewähr Garantie Urheberrecht Vertrag licence garantie responsabilité contrat droits';

/** Reports whether a part of a text may be legal boilerplate. Faster for a long text than `isBoilerplate` for its parts. */
export function mayHoldBoilerplate(text: string): boolean {
  const lower = text.toLowerCase();
  return PHRASES.some(([part]) => lower.includes(part));
}

/** Reports whether a text contains a phrase of legal boilerplate. */
export function isBoilerplate(text: string): boolean {
  const start = text.slice(0, MAX_LENGTH);
  const lower = start.toLowerCase();
  const phrases = PHRASES.filter(([part]) => lower.includes(part));
  if (phrases.length === 0) return false;
  const words = start.replaceAll(/\s+/g, ' ');
  return phrases.some(([, phrase]) => phrase.test(words));
}
