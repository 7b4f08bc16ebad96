import { isStopWord } from './words/word-terms.ts';
import { languageOfText } from './words/words.ts';
import { headingOfLine } from './markdown-lines.ts';
import type { Span } from './span.ts';
import { cutUnits, type TextFormat } from './units.ts';

/** A sentence that defines a term, and the term in it, both as spans of the text. */
interface Definition {
  readonly term: Span;
  readonly sentence: Span;
}

/** Maximum length of a term and of a definition, in UTF-16 code units. */
const MAX_TERM_LENGTH = 60;
const MAX_SENTENCE_LENGTH = 600;
const MAX_WORDS = 6;

/** A term that only the following words delimit. */
const NAME = String.raw`([\p{L}\p{N}][^\n.,;:!?|"]{1,${String(MAX_TERM_LENGTH)}}?)`;
const REST = String.raw`[^\n]{1,${String(MAX_SENTENCE_LENGTH)}}`;

/** Words of praise, which describe a term instead of defining it. */
const PRAISE =
  '(?:\\p{L}{1,20} )?(?:place|reason|problem|matter|useful|helpful|top|core|bridge|nation|country|convention|important|essential|significant|major|great|key|common|critical|good|only|best|same|main|one|first|last|most|those|given|identical|equivalent|themselves|\\p{Ll}{1,20}ed)\\b';
const KINDS =
  'list|set|kind|type|form|unit|measure|piece|group|family|sequence|collection|method|way|branch|class|series|system|state|species|genus|field|bod(?:y|ie)';

/**
 * Patterns of defining sentences by language: a verb of definition, or "is" with a kind and a distinction, as in "An
 * index is a data structure that makes searches faster". In English, `who`, a possessive, or an article before the
 * subject refers to one person or thing instead of a kind.
 */
export const DEFINING: readonly RegExp[] = [
  // English.
  pattern(
    `(?:in [\\p{L} ]{2,25}, )?(?:an? )?${NAME} (?:is an?|is the|are) (?!${PRAISE})(?:[\\p{L}-]{1,25} ){1,6}(?:that|which|where|whose|used|by which|in which|at which|equal to|between)\\b(?!.{0,80}\\bwho\\b)${REST}`,
  ),
  pattern(`(?:in [\\p{L} ]{2,25}, )?(?:an? )?${NAME} (?:is an?|are) (?:${KINDS})s? of\\b${REST}`),
  pattern(
    `(?:the term )?(?:an? )?${NAME} (?:refers to|denotes|is defined as|are defined as|is short for|stands for|means (?:an?|the|any|that|to)\\b|means \\p{L}{2,20} that)${REST}`,
  ),
  // Contracts and reports: "“Closing Date” means …".
  pattern(
    `(?:the term )?["“„«']{1,2}${NAME}["”“»']{1,2},?(?: or ["“„«'][^"”“»'\\n]{2,40}["”“»'])? (?:means?|refers? to|shall mean|shall have the meaning|has the meaning|is defined as|stands for|is an?|is the) ${REST}`,
  ),
  pattern(`by ${NAME} (?:we|is) mean[st]?\\b${REST}`),
  pattern(
    `(?:an? )?[^\\n.;:,]{5,160}?(?<!\\b(?:this|it|these|which|they)) (?:is|are) (?:called|known as|termed) (?:an? |the )?${NAME}\\.?$`,
  ),
  pattern(`we (?:call|say) [^\\n.;:]{5,120}? an? ${NAME}\\.?$`),
  // German.
  pattern(
    `(?:der|die|das|ein|eine) ${NAME} (?:ist|sind) (?:ein|eine|der|die|das)\\b(?: \\p{L}{1,30}){1,4}, (?:d(?:er|ie|as|em|en)|bei|mit|in|durch|für|an|welche[rs]?)\\b${REST}`,
  ),
  pattern(`unter (?:eine[rm] |der |dem )?${NAME} versteht man ${REST}`),
  pattern(`als ${NAME} (?:bezeichnet man|wird|werden|gilt|gelten) ${REST}`),
  pattern(
    `(?:der begriff |ein |eine |der |die |das )?${NAME} (?:bezeichnet|bedeutet|bezeichnen|steht für) ${REST}`,
  ),
  // French.
  pattern(
    `(?:l['’]|(?:le|la|les|une?) )${NAME} (?:est|sont) (?:une?|des|l['’]|le|la)\\s?(?:[\\p{L}'’]{1,30} ){1,5}(?:qui|que|par|dont|où|permettant|dans|servant|utilisée?|de)\\b${REST}`,
  ),
  pattern(`on (?:appelle|nomme) (?:une? )?${NAME} (?:une?|la|le|les|l['’]|ce|tout)${REST}`),
  pattern(
    `(?:l['’]|(?:le|la|les|une?) )${NAME} (?:désigne|signifie|se définit comme|est définie? comme)${REST}`,
  ),
  // Spanish, Portuguese, Italian, Romanian.
  pattern(
    `(?:el|la|los|las|una?) ${NAME} (?:es|son) (?:una?|el|la) (?:\\p{L}{1,30} ){1,5}(?:que|por|para|con|en|cuyo|usado|utilizado)\\b${REST}`,
  ),
  pattern(`(?:se (?:llama|denomina|conoce como|entiende por)) ${NAME} (?:al?|la|el|los?|un)\\b${REST}`),
  pattern(`(?:el|la|los|las|una?) ${NAME} (?:se define como|se refiere a|designa|significa) ${REST}`),
  pattern(
    `(?:o|a|os|as|uma?) ${NAME} (?:é|são) (?:uma?|o|a) (?:\\p{L}{1,30} ){1,5}(?:que|pelo|pela|para|com|em|cujo|usado)\\b${REST}`,
  ),
  pattern(`(?:o|a|os|as|uma?) ${NAME} (?:define-se como|refere-se|designa|significa) ${REST}`),
  pattern(
    `(?:l['’]|(?:il|lo|la|i|gli|le|una?|uno) )${NAME} (?:è|sono) (?:una?|uno|il|la|un['’])\\s?(?:\\p{L}{1,30} ){1,5}(?:che|con|per|in|cui|di|usat[oa])\\b${REST}`,
  ),
  pattern(`(?:con|per) ${NAME} si intend(?:e|ono) ${REST}`),
  pattern(`(?:un |o )?${NAME} este (?:un|o) (?:\\p{L}{1,30} ){1,5}(?:care|prin|de|pentru)\\b${REST}`),
  // Dutch, Swedish, Danish, Norwegian, Finnish, Hungarian.
  pattern(
    `(?:een |de |het )?${NAME} is een (?:\\p{L}{1,30} ){1,4}(?:die|dat|waarbij|waarin|voor|van|om)\\b${REST}`,
  ),
  pattern(`onder (?:een )?${NAME} verstaat men ${REST}`),
  pattern(
    `(?:en |ett |et )?${NAME} (?:är|er) (?:en|ett|et) \\p{L}{1,40},? (?:som|där|der|hvor|hvori|i vilken|for|för)\\b${REST}`,
  ),
  pattern(`med (?:en |ett |et )?${NAME} (?:menas|avses|menes|forstås) ${REST}`),
  pattern(`${NAME} on \\p{L}{1,40}, jo(?:ka|ssa|lla|nka|ista)\\b${REST}`),
  pattern(`az? ${NAME} (?:olyan|egy) (?:\\p{L}{1,30} ?){1,3}, am(?:ely|i)\\p{L}{0,10}${REST}`),
  // Russian, Ukrainian, Bulgarian.
  pattern(`${NAME} ?[–—-] (?:это|це|това е) ${REST}`),
  pattern(`${NAME} (?:называют|называется|называются|називають|називається) ${REST}`),
  pattern(`под ${NAME} понима(?:ют|ется|ются) ${REST}`),
  // Turkish, Greek, Arabic, Hindi, Indonesian.
  pattern(`${NAME}, [^\\n,;:.]{8,160}(?:dır|dir|dur|dür|tır|tir|tur|tür)\\.?$`),
  pattern(
    `(?:ο|η|το|οι|τα) ${NAME} είναι (?:μια?|ένα[ςν]?|η|ο|το) (?:\\p{L}{1,30} ){1,4}(?:που|με|όπου|για)(?!\\p{L})${REST}`,
  ),
  pattern(`${NAME} (?:هو|هي) (?:عملية|بنية|مجموعة|نوع|علم|جهاز|نظام|مصطلح|عبارة عن|كل) ?${REST}`),
  pattern(`${NAME} वह ${REST} (?:है|हैं)${REST}`),
  pattern(
    `${NAME} adalah (?:proses|struktur|suatu|sebuah|seorang|ilmu|alat|sistem|jenis|bagian|kumpulan|cara)\\b${REST}`,
  ),
  // Chinese, Japanese, Korean.
  /^(?:所谓)?([^\s，。；：、？！的这那此其他她它我你]{2,20}?)(?:，?是指|，?指的是|，?系指|指|是一种|是一類|是一类|是一個|被定义为)[^\n]{4,600}$/u,
  /^([^\s、。，？！]{2,30}?)とは、?[^\n]{4,600}$/u,
  /^([^\n,.]{2,30}?)(?:이?란) [^\n]{4,600}$/u,
];

function pattern(source: string): RegExp {
  return new RegExp(`^(?:${source})`, 'iu');
}

/** A term in bold or code, followed by its definition: "**Upstream**: the branch that …". */
const MARKED =
  /^(?:[-*+•][ \t]+)?(?:\*\*|__)`?([^*_`\n]{2,60}?)`?:?(?:\*\*|__)(?:[ \t]*\([^()\n]{1,40}\))?(?::|[ \t]+[–—-]|(?<=:\*\*|:__))[ \t]+([^\n]{12,600})$/su;
/** Words in this form that aren't terms. */
const REMARKS =
  /^(?:note|notes|warning|tip|hint|important|caution|example|examples|see also|todo|attention|danger|info|default|usage|summary|result|results|step \d+|hinweis|achtung|warnung|beispiel|wichtig|tipp|remarque|attention|exemple|nota|aviso|ejemplo|atención|esempio|attenzione|exemplo|atenção|let op|voorbeeld|注意|警告|示例|例)$/iu;
/** Words that refer to something named before, or ask. */
const POINTING =
  /^(?:(?:i|i['’]m|this|that|these|those|it|there|he|she|we|you|they|what|which|who|how|why|when|where|if|here|one|the|our|their|his|her|its|my|your|such|another|each|some|all|now|normally|usually|examples?|both|most|many|first|and|but|so|even|also|only|just|either|neither|es|das|dies|diese[rs]?|er|sie|wir|man|hier|was|wer|wenn|ce|cet|cette|ces|il|elle|on|ici|esta?|este|eso|esto|questo|questa|isto|isso|dit|dat|det|den|это|он|она|це|він|tämä|ez|bu|o|autor|author)(?!\p{L})|[这那此其他她它我你]|これ|それ|あれ|彼|私|이것|그것|그는)/iu;

/** Judgments, which don't name a kind: "a common annoyance", "a good example". */
const JUDGING = /^(?:common|good|great|key|main|typical|best|better|big|major|simple|easy|nice|popular)\s/iu;

/** Start of a definition in a list: a kind, not an instruction. */
const KIND_OF =
  /^(?:(?:an?|any|one of|each|every|ein|eine|une?|una|uno|um|uma|een|en|ett|et) |(?:l['’]|(?:the|der|die|das|le|la|les|el|los|las|il|lo|gli|o|os|de|het) )(?:[\p{L}'’-]{1,30},? ){0,6}?(?:of|that|which|who|whose|where|used|for|in|from|between|by|der|des|die|das|von|für|d['’]|de|du|des|qui|que|pour|del|para|di|che|per|do|da|van|dat|voor)(?!\p{L}))/iu;
/** Words of instructions and facts, which don't define a term. */
const TELLING =
  /^(?:[\p{L}'’-]{1,30} ){0,5}?(?:must|should|shall|can|could|will|would|may|might|is|are|was|were|has|have|had|need|needs|requires?|muss|müssen|soll|sollte|kann|können|wird|werden|ist|sind|hat|doit|doivent|peut|peuvent|est|sont|debe|deben|puede|es|son|deve|può|è|moet|kan|is)(?!\p{L})/iu;
/** Headings of sections whose items are definitions in any form. */
const GLOSSARY_HEADING =
  /^(?:[\d.]+\s)?(?:[\p{L}]+ (?:of|and|und|et|y|e) )?(?:glossary|definitions?|defined terms|terms|key terms|terminology|abbreviations|acronyms|nomenclature|vocabulary|concepts|key concepts|glossar|begriffe|definitionen|abkürzungen|glossaire|définitions|abréviations|glosario|definiciones|glossario|definizioni|glossário|definições|begrippen|术语|定义|用語)(?!\p{L})/iu;

/**
 * Returns the sentences of a text that define a term, in order, each with its term. Prefers precision: leaves out
 * sentences that may not be definitions.
 * @param beginning text that determines the language, if the text is part of another
 */
export function findDefinitions(
  text: string,
  format: TextFormat,
  beginning = text.slice(0, 20_000),
): Definition[] {
  if (format === 'code') return [];
  const language = languageOfText(beginning);
  let isInGlossary = false;
  return cutUnits(text, format, []).flatMap((unit): Definition[] => {
    const { start, end, kind } = unit;
    const heading = format === 'markdown' ? headingOfLine(text.slice(start, end)) : undefined;
    if (heading !== undefined) isInGlossary = GLOSSARY_HEADING.test(heading.title);
    if ((kind !== 'sentence' && kind !== 'item') || end - start > MAX_SENTENCE_LENGTH) return [];
    const sentence = text.slice(start, end);
    const definition = marked(sentence, isInGlossary) ?? statedDefinition(sentence, language);
    return definition === undefined
      ? []
      : [
          {
            term: { start: start + definition.start, end: start + definition.end },
            sentence: { start, end },
          },
        ];
  });
}

function marked(sentence: string, isInGlossary: boolean): Span | undefined {
  const found = MARKED.exec(sentence);
  const term = found?.[1]?.replace(/:$/, '');
  if (found === null || term === undefined || REMARKS.test(term.trim())) return undefined;
  // A definition has words. Numbers, links, and commands are values.
  const words = found[2]?.match(/\p{L}{2,1000}/gu)?.length ?? 0;
  const meaning = found[2] ?? '';
  if (words < 4 || /^[`[<"]/.test(meaning)) return undefined;
  return isInGlossary || (KIND_OF.test(meaning) && !TELLING.test(meaning))
    ? findSpan(sentence, term)
    : undefined;
}

function statedDefinition(sentence: string, language: number): Span | undefined {
  const from = /^(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?/.exec(sentence)?.[0].length ?? 0;
  // Remove line breaks, emphasis, and numbers of references before matching.
  const plain = sentence
    .slice(from)
    .replace(/[\r\n\t]/g, ' ')
    .replace(/[*`]+/g, '')
    .replace(/ ?\[[\d, ]{1,20}\]/g, '');
  if (POINTING.test(plain) && !/^(?:the term|we call|we say|on appelle|on nomme) /i.test(plain))
    return undefined;
  for (const pattern of DEFINING) {
    const found = pattern.exec(plain);
    const term = found?.[1];
    if (term === undefined) continue;
    const name = withoutRepetition(term).replace(/^[*_`"“„«‘']+|[*_`"”“»’']+$/gu, '');
    if (!isTerm(name, language)) continue;
    return findSpan(sentence, name);
  }
  return undefined;
}

/** Removes a heading that repeats the term: "Content Marketing — Content marketing refers to …". */
function withoutRepetition(term: string): string {
  const [first = '', second] = term.trim().split(/[^\S\n][–—-][^\S\n]/, 2);
  return second !== undefined && first.toLowerCase().includes(second.toLowerCase()) ? first : term.trim();
}

function isTerm(name: string, language: number): boolean {
  const words = name.split(/\s+/);
  if (name.length < 2 || words.length > MAX_WORDS || POINTING.test(name) || JUDGING.test(name)) return false;
  if (!/\p{L}{2}/u.test(name)) return false;
  const stops = words.filter((word) => isStopWord(word.toLowerCase(), language)).length;
  return (
    stops === 0 || (stops === 1 && words.length > 2 && !isStopWord((words[0] ?? '').toLowerCase(), language))
  );
}

function findSpan(sentence: string, term: string): Span | undefined {
  const start = sentence.indexOf(term);
  return start < 0 ? undefined : { start, end: start + term.length };
}
