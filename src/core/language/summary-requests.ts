import type { SummaryRules } from './packs/pack.ts';
import { ALL_LANGUAGES } from './words/languages.ts';

/** Subject of a summary: '' for the whole search scope, else a source's name or a topic. */
export interface SummaryRequest {
  readonly subject: string;
}

const SUMMARY =
  'summary|overview|synopsis|gist|recap|tl;?\\s?dr|(?:main|key|central|most important|essential)\\s+(?:points?|ideas?|takeaways?|messages?|arguments?|findings?|topics?|themes?|insights?|facts)|takeaways';
/** Words before the actual request: "Can you please give me a short …". */
const LEADS_UP =
  "(?:(?:please|can|could|would|will|you|i|we|want|need|like|to|give|show|make|write|get|create|tell|provide|have|me|us|what(?:['’]s|\\s+(?:is|are))?|a|an|the|your|quick|short|brief|concise|detailed|general|high-level|one-paragraph|all)\\s+)*";
const REQUESTS = [
  // "Summarize this", "sum up the report"
  new RegExp(`^${LEADS_UP}(?:summari[sz]e|sum\\s+up)\\b(?<rest>.*)$`, 'isu'),
  // "Give me an overview of this", "what are the main points of the report?", "TL;DR"
  new RegExp(
    `^${LEADS_UP}(?:${SUMMARY})(?=\\s*(?:$|[?.!:,]|\\b(?:of|about|on|for|in|from|please)\\b))(?<rest>.*)$`,
    'isu',
  ),
  // "What is this about?", "what does the PDF say?"
  /^(?:so\s+)?what(?:['’]s|\s+(?:is|are|do|does))\s+(?<rest>.+?)\s+(?:all\s+about|about|deal(?:s|ing)?\s+with|say|cover|contain)[\s?.!]*$/isu,
];
/** Maximum length of a request, in UTF-16 code units. A longer question contains other text. */
const MAX_REQUEST_LENGTH = 300;
/** Words for the whole search scope, and for the length of the summary. */
const OF_ALL =
  /\b(?:everything|all|this|that|it|these|those|them|the|a|an|my|our|your|its|their|whole|entire|each|every|open|current|attached|added|documents?|docs?|files?|pdfs?|sources?|notebooks?|pages?|articles?|papers?|texts?|books?|reports?|sites?|websites?|folders?|notes?|materials?|contents?|here|there|please|for|of|in|on|from|about|to|with|as|and|at|by|me|us|is|are|say|says|what|main|key|points?|ideas?|briefly|shortly|quickly|simply|concisely|short|brief|simple|plain|words?|terms|sentences?|paragraphs?|bullets?|list|lines?|few|one|two|three|four|five|six|seven|ten|some|\d+|you|have|we|i|got|know)\b/giu;

/** "What is in here?", "Explain this document": a summary if asked about everything, else a question. */
const REQUESTS_OF_ALL =
  /^(?:please\s+)?(?:what(?:['’]s|\s+is|\s+are)\s+in|explain|describe|tell\s+me\s+about)\s+(?<rest>.+)$/isu;
const NAMES_SOURCES =
  /\b(?:documents?|docs?|files?|pdfs?|sources?|notebooks?|pages?|articles?|papers?|books?|reports?|sites?|folders?)\b/iu;

const RULES: readonly SummaryRules[] = ALL_LANGUAGES.flatMap(({ summaryRequests }) => summaryRequests ?? []);
/** Words that may refer to something said before. */
const STANDS_FOR: readonly RegExp[] = [
  /(?<!\p{L})(?:it|that|these|those|them)(?!\p{L})/iu,
  ...RULES.flatMap(({ standsFor }) => standsFor ?? []),
];

/**
 * Returns the subject of a summary request; undefined if the question isn't one. '' means everything. In a
 * conversation, "summarize that" is a follow-up.
 */
export function summaryRequestIn(question: string, isFollowing = false): SummaryRequest | undefined {
  const trimmed = question.trim();
  if (trimmed.length > MAX_REQUEST_LENGTH) return undefined;
  const request = requestIn(trimmed) ?? requestInOtherLanguages(trimmed);
  const leans =
    isFollowing && STANDS_FOR.some((pattern) => pattern.test(question)) && !NAMES_SOURCES.test(question);
  return request?.subject === '' && leans ? undefined : request;
}

function requestInOtherLanguages(question: string): SummaryRequest | undefined {
  const plain = question.replaceAll(/[\s¿¡?!.:;？。！，؟،]+/gu, ' ').trim();
  const subjects: string[] = [];
  for (const { leads, requests, ofAll, isUnspaced = false } of RULES) {
    const requested = withoutEdge(plain, new Set(leads.split(' ')), { isUnspaced, atEnd: false });
    for (const request of requests) {
      const rest = (request.exec(requested) ?? request.exec(plain))?.groups?.['rest'];
      if (rest === undefined) continue;
      const words = new Set(ofAll.split(' '));
      const subject = withoutEdge(rest.replace(/^[ ,]+/, ''), words, { isUnspaced, atEnd: false });
      subjects.push(withoutEdge(subject, words, { isUnspaced, atEnd: true }));
    }
  }
  // "Resuma a ata" may be detected as Spanish, which has no article "a".
  const [subject] = subjects.toSorted((a, b) => a.length - b.length);
  return subject === undefined ? undefined : { subject };
}

/** Returns a text without the words of a list at its beginning or end. */
function withoutEdge(
  text: string,
  words: ReadonlySet<string>,
  { isUnspaced, atEnd }: { readonly isUnspaced: boolean; readonly atEnd: boolean },
): string {
  let remainingText = text.trim();
  for (;;) {
    const last = Math.max(remainingText.lastIndexOf(' '), remainingText.lastIndexOf(',')) + 1;
    const edge = atEnd ? remainingText.slice(last) : /^(?:[ldLD]['’]|[^ ,-]+)/u.exec(remainingText)?.[0];
    const word = isUnspaced
      ? [...words].find((each) => (atEnd ? remainingText.endsWith(each) : remainingText.startsWith(each)))
      : words.has(edge?.toLowerCase().replace('’', "'") ?? '')
        ? edge
        : undefined;
    if (word === undefined) return remainingText;
    remainingText = (
      atEnd ? remainingText.slice(0, -word.length) : remainingText.slice(word.length)
    ).replaceAll(/^[ ,-]+|[ ,]+$/g, '');
  }
}

function requestIn(trimmed: string): SummaryRequest | undefined {
  const ofAll = REQUESTS_OF_ALL.exec(trimmed)?.groups?.['rest'];
  if (ofAll !== undefined && !namesSomething(ofAll)) return { subject: '' };
  for (const request of REQUESTS) {
    const rest = request.exec(trimmed)?.groups?.['rest'];
    if (rest === undefined) continue;
    return { subject: namesSomething(rest) ? subjectIn(rest) : '' };
  }
  return undefined;
}

/** Reports whether words name something, beyond "everything". */
function namesSomething(rest: string): boolean {
  return /[\p{L}\p{N}]/u.test(rest.replaceAll(OF_ALL, ' '));
}

/** Returns the subject: "report" for "of the report in three sentences". */
function subjectIn(rest: string): string {
  return rest
    .replace(
      /^[\s:,]*(?:what\s+(?:the\s+)?(?:\w+\s+)?says?\s+)?(?:(?:of|about|on|for|in|from|to me|me|us|the|this|that|my|our)\s+)*/iu,
      '',
    )
    .replace(
      /\s+(?:in|with|using)\s+(?:a|an|one|two|three|four|five|six|ten|\d+|few|simple|plain|bullet)\b.*$/iu,
      '',
    )
    .replace(/(?<![\s?.!,;:])[\s?.!,;:]+$/u, '')
    .trim();
}
