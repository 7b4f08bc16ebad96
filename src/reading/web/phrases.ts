/** What the words of a short text tell of its part in the page. */
const phrases: readonly RegExp[] = [
  /\b(?:share|tweet|facebook|twitter|linkedin|whatsapp|pinterest|instagram|follow us|e-?mail this)\b/i,
  /\b(?:log ?in|sign ?(?:in|up|out)|register|create (?:an )?account|my account|password)\b/i,
  /©|\b(?:copyright|all rights reserved|privacy|terms|cookies?|legal|sitemap|imprint|disclaimer|accessibility)\b/i,
  /\b(?:subscribe|newsletter|unsubscribe|inbox|your e-?mail)\b/i,
  /\b(?:reply|replies|quote|report|flag|likes?|views?|joined|messages|posts|upvote|permalink|karma|badges?|reputation|solved|members?)\b/i,
  /\b(?:related|recommended|you (?:may|might) (?:also )?like|more (?:from|stories|articles|like|in)|trending|popular|most read|latest|featured|see also|further reading|similar)\b/i,
  /\b(?:next|previous|prev|older|newer|back to|page \d+)\b/i,
  /\b(?:read more|learn more|view all|see all|show more|load more|view more|shop now|get started|contact us|try (?:it )?free|book|call (?:us|now)|request|download)\b/i,
  /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\b\d+ (?:minute|hour|day|week|month|year)s? ago\b|\b\d{1,2}:\d\d\b/i,
  /[$€£¥]\s?\d|\d\s?(?:€|usd|eur)\b/i,
  /\b(?:by|author|written|published|updated|posted|min(?:ute)?s? read|reviewed|last (?:edited|modified))\b/i,
  /\b(?:add to (?:cart|bag|basket)|buy now|wish ?list|checkout|quantity|sold out|in stock|out of stock|free shipping|returns?|sale|off)\b/i,
  /\b(?:edit (?:this|page|on)|feedback|helpful|improve|on this page|table of contents|contents|in this article|skip to|search|menu|navigation|toggle|close|home)\b/i,
  /\b(?:advertis\w+|sponsored|affiliate|commission|promoted|ad)\b/i,
  /\b(?:comments?|leave a|responses|discussion|answers?)\b/i,
  /\b(?:copy(?:ied)?|expand|collapse|print|filter|sort(?: by)?|clear|apply|select|choose|reset|refine|submit|cancel|loading)\b/i,
  /\b(?:stars?|ratings?|reviews?|out of 5)\b/i,
  /\b(?:javascript|browser|enable|unsupported)\b/i,
];

export const phraseCount = phrases.length;

/** Longer texts say what they are about, not what they are. */
const LONGEST_PHRASE = 160;

/** Which phrases a text holds, as a set of bits. */
export function phrasesIn(text: string): number {
  if (text.length > LONGEST_PHRASE) return 0;
  let found = 0;
  for (const [i, phrase] of phrases.entries()) if (phrase.test(text)) found |= 1 << i;
  return found;
}
