/**
 * Phrases of license headers, disclaimers, safe-harbor statements, and closing clauses of contracts, which are the same
 * in every document that has them.
 */
const PHRASES = [
  /\ball rights reserved\b/i,
  /\balle rechte vorbehalten\b/i,
  /\btous droits réservés\b/i,
  /\bpermission is hereby granted\b/i,
  /\bSPDX-License-Identifier\b/,
  /\blicensed under the\b.{0,60}\blicense\b/i,
  /\bwithout warrant(?:y|ies) (?:of any kind|or conditions)\b/i,
  /\bimplied warrant(?:y|ies)\b/i,
  /\bin no event shall\b/i,
  /\bforward-looking statements?\b/i,
  /\bactual results (?:could|may|might|to) differ\b/i,
  /\bundertakes? no (?:obligation|duty) to (?:publicly )?(?:update|revise)\b/i,
  /\bsafe harbor provisions?\b/i,
  /\bzukunftsgerichtete aussagen\b/i,
  /\bdéclarations prospectives\b/i,
  /\bconstitutes? the entire agreement\b/i,
  /\bin witness whereof\b/i,
  /\bheld (?:invalid|to be invalid|unenforceable|invalid or unenforceable)\b/i,
  /\bhave executed this agreement\b/i,
];

/** Maximum length of text that is examined, in UTF-16 code units. */
const MAX_LENGTH = 4_000;

/** Words of questions about such text. */
export const BOILERPLATE_WORDS =
  'license licensed licence warranty warranties liable liability copyright permission permitted legal agreement agreements contract clause clauses invalid unenforceable forward-looking harbor disclaimer rights obligation Lizenz Haftung Gewähr Garantie Urheberrecht Vertrag licence garantie responsabilité contrat droits';

/** Reports whether a text contains a phrase of legal boilerplate. */
export function isBoilerplate(text: string): boolean {
  const words = text.slice(0, MAX_LENGTH).replaceAll(/\s+/g, ' ');
  return PHRASES.some((phrase) => phrase.test(words));
}
