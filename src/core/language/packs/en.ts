import { stemEnglish } from '../words/english-stems.ts';
import { stopwords } from '@orama/stopwords/english';
import type { DocumentWords, LanguagePack } from './pack.ts';

/** English stop words that the library's list lacks. `PURE` lets bundles without them drop the calls. */
const MORE_STOP_WORDS = /* @__PURE__ */ (
  'a also done else etc get gets got just like many much need please since tell therefore thus upon ' +
  'use used uses using via want way well whether whose within without yet'
).split(' ');

export const ENGLISH: LanguagePack = {
  name: 'english',
  code: 'en',
  stem: stemEnglish,
  stopWords: /* @__PURE__ */ stopwords.concat(MORE_STOP_WORDS),
  negations: {
    ahead: 'not no never none nor neither without cannot nothing nobody',
    aheadForm: /^\p{L}+n't$/u,
    except: 'only just necessarily least longer',
    or: 'or',
  },
  enumerations: {
    leads: 'are|includes?|including|offers?|supports?|such as|namely|either|both|between',
    joins: 'and|or',
  },
  determiners:
    'a an the this these those each every any some no its their our your his her my such another both',
  conjunctions: 'and or nor but so because if when while than then',
  backReferences: 'it its they them their these those this that he she his her both neither',
  words: {
    questions: '',
    aspects:
      'example code default difference detail limit reason option alternative exception syntax setting value step better best faster slower cheaper safer easier',
    contrasts: 'but however though although while whereas',
    connectors: 'and but however',
    reasons: 'because if when unless since that',
    additions: 'and which who whose where',
    fillers: 'a an the of in for at by was is are were be been had has have it its there',
    numbers: '',
  },
  sections: {
    summaries: 'abstract, summary, introduction',
    overviews: 'conclusion, conclusions, overview, key points, key findings, tl dr, tldr',
    keywords: 'keywords, key words',
    contents: 'contents, table of contents',
    references: 'references, bibliography, works cited',
    others:
      'front cover, back cover, list of figures, list of tables, notice, notices, trademark, trademarks, copyright, author, authors, about the author, about the authors, acknowledgement, acknowledgements, acknowledgment, acknowledgments, index, colophon, preface, foreword, highlights, signature, signatures, exhibit index, see also, external links, what s next, next steps, further reading, disclaimer, licence, license',
    appendixes: 'appendix, appendices, supplementary, supplemental, annex',
  },
  dates: {
    dayEndings: 'st|nd|rd|th',
    of: 'of',
    to: 'to until till and',
    beforeYear: 'in since from between until till by before after around during circa year',
    onlyBeforeYear: 'year',
    partsOfYear:
      '(?:end|beginning|start|middle|half|rest|course|quarter|spring|summer|autumn|fall|winter) of|early|late|mid|spring|summer|autumn|fall|winter|fiscal|calendar|as (?:of|late as|early as|soon as)|well into|back in|dating to|(?<!\\d{4}[^\\S\\n])through|founded|established',
    counted:
      'percent metres meters miles feet hours days weeks years people items samples times words points pages lines files rows users men women euro euros dollars',
    beforeNumber: 'pages?|pp?|vol|volume|no|sec|section|room|box|port|line|isbn|issn|rfc|iso',
  },
  definitions: {
    sentences: [
      '(?:in [\\p{L} ]{2,25}, )?(?:an? )?{term} (?:is an?|is the|are) (?!(?:\\p{L}{1,20} )?(?:place|reason|problem|matter|useful|helpful|top|core|bridge|nation|country|convention|important|essential|significant|major|great|key|common|critical|good|only|best|same|main|one|first|last|most|those|given|identical|equivalent|themselves|\\p{Ll}{1,20}ed)\\b)(?:[\\p{L}-]{1,25} ){1,6}(?:that|which|where|whose|used|by which|in which|at which|equal to|between)\\b(?!.{0,80}\\bwho\\b){rest}',
      '(?:in [\\p{L} ]{2,25}, )?(?:an? )?{term} (?:is an?|are) (?:list|set|kind|type|form|unit|measure|piece|group|family|sequence|collection|method|way|branch|class|series|system|state|species|genus|field|bod(?:y|ie))s? of\\b{rest}',
      '(?:the term )?(?:an? )?{term} (?:refers to|denotes|is defined as|are defined as|is short for|stands for|means (?:an?|the|any|that|to)\\b|means \\p{L}{2,20} that){rest}',
      // Contracts and reports: "“Closing Date” means …".
      '(?:the term )?["“„«\']{1,2}{term}["”“»\']{1,2},?(?: or ["“„«\'][^"”“»\'\\n]{2,40}["”“»\'])? (?:means?|refers? to|shall mean|shall have the meaning|has the meaning|is defined as|stands for|is an?|is the) {rest}',
      'by {term} (?:we|is) mean[st]?\\b{rest}',
      '(?:an? )?[^\\n.;:,]{5,160}?(?<!\\b(?:this|it|these|which|they)) (?:is|are) (?:called|known as|termed) (?:an? |the )?{term}\\.?$',
      'we (?:call|say) [^\\n.;:]{5,120}? an? {term}\\.?$',
    ],
    introductions: 'the term|we call|we say',
    references:
      "i|i['’]m|this|that|these|those|it|there|he|she|we|you|they|what|which|who|how|why|when|where|if|here|one|the|our|their|his|her|its|my|your|such|another|each|some|all|now|normally|usually|examples?|both|most|many|first|and|but|so|even|also|only|just|either|neither|author",
    remarks:
      'note|notes|warning|tip|hint|important|caution|example|examples|see also|todo|attention|danger|info|default|usage|summary|result|results|step \\d+',
    indefinite: 'an?|any|one of|each|every',
    definite: 'the',
    distinctions: 'of|that|which|who|whose|where|used|for|in|from|between|by',
    instructions:
      'must|should|shall|can|could|will|would|may|might|is|are|was|were|has|have|had|need|needs|requires?',
    headings:
      'glossary|definitions?|defined terms|terms|key terms|terminology|abbreviations|acronyms|nomenclature|vocabulary|concepts|key concepts',
    headingJoins: 'of|and',
  },
  noEvidence: {
    statements: [
      /\b(?:the|this|these|those|your|any)\s+(?:\p{L}{1,40}\s+){0,2}(?:notebook|passages?|sources?|documents?|documentation|context|excerpts?|text)\b.{0,30}\b(?:not|no|nothing|cannot|\p{L}{1,20}n['’]t)\b.{0,30}\b(?:say|says|mention|state|contain|cover|include|provide|specify|tell|describe|give|answer|discuss|address|explain|indicate|information|details?|about)\b/iu,
      /\b(?:nothing|not|no)\b.{0,30}\b(?:in|from) (?:the|this|these|your) (?:notebook|passages?|sources?|documents?)\b/iu,
    ],
    cells:
      'not told; not stated; not stated in this source; not given; not mentioned; not specified; not reported; not found; not said; not covered; not described; not discussed; not indicated; not provided; not available; not addressed; not in source; not in this source; not in the source; no information; no data; none stated; none given; n/a; unknown; unspecified; silent',
    turns: 'yet|only',
  },
  choices: { called: 'answer|choice|option|correct one', is: 'is|would be' },
  codeWords:
    'class(?:es)?|code(?:base)?|constructors?|functions?|implement(?:s|ed|ation)?|methods?|reg(?:ex|exp|exes)|source code|variables?',
  inexactNumbers:
    'about|almost|approx\\w*|around|at (?:least|most)|below|between|circa|ca|from|half|less|more|nearly|over|roughly|some|than|twice|under|up to|above',
  units: {
    second: 'second seconds',
    meter: 'meter meters metre metres',
    gram: 'gram grams',
    liter: 'liter liters litre litres',
    byte: 'byte bytes',
    watt: 'watt watts',
    hertz: 'hertz',
    minute: 'minute minutes',
    hour: 'hour hours',
    day: 'day days',
    week: 'week weeks',
    month: 'month months',
    year: 'year years',
    mile: 'mile miles',
    acre: 'acre acres',
    hectare: 'hectare hectares',
    foot: 'foot feet',
    inch: 'inch inches',
    ton: 'ton tons',
    pound: 'pound pounds',
    euro: 'euro euros',
    dollar: 'dollar dollars',
    percent: 'percent',
    degree: 'degree degrees',
  },
  modelTalk: {
    agrees: '(?:sure|certainly|of course|okay|ok)\\b',
    presents: "here(?:['’]s| is| are)|below (?:is|are)|i have|i['’]ve",
    speaks:
      /^(?:as an? (?:ai|language model|assistant)\b|i (?:can|could|do|am|have|was|would|need|don['’]t|can['’]t))/i,
    agreements: 'of course|certainly|absolutely|exactly|okay|ok|(?:good|great) question',
    pointers: 'see (?:also|above|below)',
  },
  injections: {
    address:
      /\b(?:ignore|disregard|forget|override)\s(?:(?:all|any|every|everything|of|the|your|these|those|my|its|previous|prior|above|earlier|preceding|other|system|original|existing)\s){1,5}(?:\p{L}{1,20}\s)?(?:instructions?|prompts?|rules|directions|guidelines|commands|orders|context|text)\b|\b(?:note|notice|attention|message|instructions?)\s?(?:to|for)?:?\s(?:all\s|any\s|the\s)?(?:ai|llm|language model|assistant|chatbot|agent)s?\b|\bif you are an? (?:ai|llm|language model|assistant|chatbot|agent)\b|\b(?:new|system|updated)\s(?:instructions?|prompts?):|\b(?:ignore|disregard|forget)\s(?:the|everything|all)\s(?:above|before)\b|\bin your (?:answer|reply|report|summary|response)\b|\bwhen you (?:write|make|give|answer|summari[sz]e|reply)\b|<system>|\[INST\]/iu,
    addressed:
      /(?<=^|[.!?:;,"“”—–\n]\s{0,3}|\b(?:and|then|now|please|instead|only|just|always|must|should|shall|to|also)\s)(?:reply|respond|answer|write|say|state|output|print|report|repeat|claim|conclude|mention|include|add|insert|tell\s(?:the\s)?(?:user|reader|them|everyone|people))\s(?:(?:only|just|simply|exactly|always|to|the|in|your|user|answer|reply|report|summary)\s){0,4}(?:that\b|with\b|nothing but\b|this\b|these words\b|the following\b|sentence\b|words\b|text\b|["“‘'`])|\byour\s(?:answer|reply|response|report|summary|output)\s(?:must|should|shall|has to|is to)\b/iu,
    plain:
      /(?<=^|[.!?:;"“]\s{1,3}|\n|\b(?:must|please|always|now)\s)(?:(?:reply|respond|answer)\s(?:(?:only|just|simply|exactly|to|the|user)\s){0,3}with\s(?:(?:only|just|exactly|nothing but)\s)?(?:this|these|the following|the)\s(?:\p{L}{1,20}\s)?(?:sentence|words|text|phrase|statement)|(?:write|state|reply|respond|answer|claim)\s(?:in\s(?:your|the)\s(?:answer|reply|report|summary)\s)?that\s(?!(?:down|up|in|into|to|out|you|one|it|as|is|file|value|number|data)\b)\p{L})|\byour\s(?:answer|reply|response|report|summary|output)\s(?:must|should|shall|has to|is to)\s(?:say|state|claim|conclude|read|mention|report)\b/iu,
  },
  boilerplate: {
    phrases: [
      ['reserved', /\ball rights reserved\b/i],
      ['granted', /\bpermission is hereby granted\b/i],
      ['licensed', /\blicensed under the\b.{0,60}\blicense\b/i],
      ['warrant', /\bwithout warrant(?:y|ies) (?:of any kind|or conditions)\b/i],
      ['warrant', /\bimplied warrant(?:y|ies)\b/i],
      ['event', /\bin no event shall\b/i],
      ['forward-looking', /\bforward-looking statements?\b/i],
      ['differ', /\bactual results (?:could|may|might|to) differ\b/i],
      ['undertake', /\bundertakes? no (?:obligation|duty) to (?:publicly )?(?:update|revise)\b/i],
      ['harbor', /\bsafe harbor provisions?\b/i],
      ['constitute', /\bconstitutes? the entire agreement\b/i],
      ['witness', /\bin witness whereof\b/i],
      ['held', /\bheld (?:invalid|to be invalid|unenforceable|invalid or unenforceable)\b/i],
      ['executed', /\bhave executed this agreement\b/i],
    ],
    questions:
      'license licensed licence warranty warranties liable liability copyright permission permitted legal agreement agreements contract clause clauses invalid unenforceable forward-looking harbor disclaimer rights obligation',
  },
  datedReferences:
    'exhibits? \\d|form \\d|incorporated (?:herein )?by reference|filed (?:herewith|with|as exhibit|on)|proceedings of|preprint|retrieved|accessed|last (?:updated|modified|changed|reviewed)|all rights reserved|copyright|licen[sc]ed under|pp?\\. ?\\d|vol(?:ume|\\.) ?\\d|et al|printed in|this (?:manual|document|version|report|page) (?:is|was|has)|as amended|see (?:also )?(?:section|note|page|figure|table)',
  definedNames: { articles: 'the|an?|our|each|together|collectively|hereinafter|hereafter', joins: 'or|and' },
  formats: {
    tables: 'tables?',
    lists: 'lists?|bullet points?|enumerate',
    beforeKnownTable: 'the|this|that|these|those|its|their',
  },
  yesOrNo: 'yes|no',
  tables: { captions: 'table|tab\\.|exhibit|schedule', continued: "continued|cont['’.]?d?\\.?" },
  continuations:
    'although|though|while|once|after|if|when|with|now that|because|since|shortly|afterwards|however|furthermore|moreover|in contrast|in addition|additionally|therefore|thus|hence|consequently|otherwise|instead|for now|in fact|indeed|by contrast|as a result|of course|finally|similarly|likewise|nevertheless|nonetheless|also|but|and|so|then|yet|still',
  remarks:
    'figure|fig\\.|table|tab\\.|example|listing|exhibit|see |note that|note:|for (?:more|further|example)|please |click |e\\.g\\.|chapter \\d',
  hyphens: {
    conjunctions: 'and or',
    ranges: 'to till through',
    links: 'of to the in and or on by for at as up out off than with',
    firstParts:
      'well self ill all half high low long short full real cross hard soft large small open user best ' +
      'better left right single double triple quasi vice much ever never near close deep fast slow fine ' +
      'free early late one two three four five six seven eight nine twenty thirty forty fifty sixty seventy ' +
      'eighty ninety hundred first second third fourth fifth part',
    secondParts:
      'known called based term level levels scale related specific driven oriented sized style quality ' +
      'class established being party dependent defined range effective friendly rich bound minded looking ' +
      'growing going reaching standing running speaking making sharing saving intensive sensitive resistant ' +
      'ended eyed haired shaped powered owned funded backed grained tuned fashioned conscious efficient ' +
      'century year years old reviewed approved controlled financed sponsored certified trained tested ' +
      'designed centered focused changing leading winning off up',
  },
  pageNumbers: { names: 'pages?', abbreviations: 'p\\.', of: 'of' },
  pleaseWait: 'please wait',
  signIn: 'log ?in|sign ?in|log ?on',
  numberWords: {
    ones: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    dozen: 'dozen',
    scales:
      'hundred|hundreds thousand|thousands|k million|millions|mn billion|billions|bn trillion|trillions',
    fractions: 'half|halves third|thirds quarter|quarters fifth|fifths tenth|tenths',
    and: 'and',
    percent: 'percent|per cent',
  },
  unitLinks: '(?:of )?an?',
  oneUnit: 'one|an',
};

export const ENGLISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always:
      'approx, cf, dr, e. g, eds, esp, i. e, incl, lt, messrs, mr, mrs, mt, prof, resp, viz, vs, Adm, Atty, Capt, Col, Cpl, DR, Ft, Gen, Gov, Hon, MR, MRS, Maj, Ms, Pres, Pvt, Rep, Rev, Sen, Sgt, ST, St, Supt',
    numbered:
      'abs, apt, art, ch, chap, col, eq, eqs, fig, figs, no, nos, op, p, par, pp, pt, ref, refs, sec, secs, sect, vol, vols, Apr, Aug, Dec, Feb, Jan, Jul, Jun, Mar, Nov, Oct, Sep, Sept',
    // "al" means "already" in Dutch.
    tied: ['(?<![\\p{L}\\p{N}])et\\sal'],
  },
  figures: {
    names: 'figures?|figs?|charts?|diagrams?|exhibits?|graphs?|illustrations?|plates?|schemes?',
    pluralEndings: 's',
    ranges: 'to',
    tables: 'tables?|tab|listings?|box(?:es)?|examples?|equations?|eq|algorithms?',
    pictures: 'pictures?|images?|plots?|drawings?',
  },
  beforeLast: 'and',
};
