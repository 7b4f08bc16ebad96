/** What a summary is asked of: '' for all that is asked, else a source's name or a subject. */
export interface SummaryRequest {
  readonly subject: string;
}

const SUMMARY =
  'summary|overview|synopsis|gist|recap|tl;?\\s?dr|(?:main|key|central|most important|essential)\\s+(?:points?|ideas?|takeaways?|messages?|arguments?|findings?|topics?|themes?|insights?|facts)|takeaways';
/** "Can you please give me a short …": whatever leads up to the request itself. */
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
/** What is longer has a text of its own with it. */
const LONGEST_REQUEST = 300;
/** What stands for all that is asked, and how much is wanted of it. */
const OF_ALL =
  /\b(?:everything|all|this|that|it|these|those|them|the|a|an|my|our|your|its|their|whole|entire|each|every|open|current|attached|added|documents?|docs?|files?|pdfs?|sources?|notebooks?|pages?|articles?|papers?|texts?|books?|reports?|sites?|websites?|folders?|notes?|materials?|contents?|here|there|please|for|of|in|on|from|about|to|with|as|and|at|by|me|us|is|are|say|says|what|main|key|points?|ideas?|briefly|shortly|quickly|simply|concisely|short|brief|simple|plain|words?|terms|sentences?|paragraphs?|bullets?|list|lines?|few|one|two|three|four|five|six|seven|ten|some|\d+|you|have|we|i|got|know)\b/giu;

/** "What is in here?", "Explain this document": asked of everything these want a summary, else an answer. */
const REQUESTS_OF_ALL =
  /^(?:please\s+)?(?:what(?:['’]s|\s+is|\s+are)\s+in|explain|describe|tell\s+me\s+about)\s+(?<rest>.+)$/isu;
/** What may stand for something said before. */
const STANDS_FOR = /\b(?:it|that|these|those|them)\b/iu;
const NAMES_SOURCES =
  /\b(?:documents?|docs?|files?|pdfs?|sources?|notebooks?|pages?|articles?|papers?|books?|reports?|sites?|folders?)\b/iu;

/**
 * What a summary is asked of; undefined where none is asked for. A subject is '' where everything is meant. Within a
 * conversation "summarize that" is a follow-up.
 */
export function summaryRequestIn(question: string, isFollowing = false): SummaryRequest | undefined {
  const request = requestIn(question.trim());
  const leans = isFollowing && STANDS_FOR.test(question) && !NAMES_SOURCES.test(question);
  return request?.subject === '' && leans ? undefined : request;
}

function requestIn(trimmed: string): SummaryRequest | undefined {
  if (trimmed.length > LONGEST_REQUEST) return undefined;
  const ofAll = REQUESTS_OF_ALL.exec(trimmed)?.groups?.['rest'];
  if (ofAll !== undefined && !tells(ofAll)) return { subject: '' };
  for (const request of REQUESTS) {
    const rest = request.exec(trimmed)?.groups?.['rest'];
    if (rest === undefined) continue;
    return { subject: tells(rest) ? subjectIn(rest) : '' };
  }
  return undefined;
}

/** Whether words say more than that everything is meant. */
function tells(rest: string): boolean {
  return /[\p{L}\p{N}]/u.test(rest.replaceAll(OF_ALL, ' '));
}

/** "of the report in three sentences" → "report". */
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
