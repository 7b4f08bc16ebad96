import { stemmer } from '@orama/stemmers/dutch';
import { stopwords } from '@orama/stopwords/dutch';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const DUTCH: LanguagePack = {
  name: 'dutch',
  code: 'nl',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  alphabet: 'éëïèöü',
  negations: {
    ahead: 'niet niets nooit niemand nergens nimmer geen zonder noch',
    behindVerb: 'niet nooit',
    except: 'alleen enkel slechts',
    or: 'of',
  },
  followUps: {
    continuation:
      /^(?:en(?= (?:wat|hoe|waar|wanneer|waarom|wie|in|als|voor|met|op|na|bij|dan|de|het)(?!\p{L}))|maar|dus|en wat met|bijvoorbeeld|welke (?:daarvan|ervan|van))(?= )|^(?:waarom|hoe|wanneer|waar|wie|welke|ga door|meer)(?: niet)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:(?:er|daar|hier)(?:van|mee|voor|bij|in|op|aan|na)|dat$|dit$|beide$|(?:kost|geldt|betekent|werkt|is|duurt|kan|moet|mag|wordt) (?:dat|dit) (?:ook|niet|nog|altijd|voor|met|bij|gratis|mogelijk|zo))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:hij|hem|ze|zij|hun|hen)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:de|het) (eerste|tweede|derde|vierde|vijfde|laatste)(?=$|,| (?:punt|stap|optie|manier|methode|mogelijkheid|voorbeeld|ervan|daarvan|van|nodig|doet|is|werkt)(?!\p{L}))/iu,
    ordinals: 'eerste tweede derde vierde vijfde',
    last: 'laatste',
    numbered: 'nummer|punt|stap|optie',
    articles: 'de|het|een',
  },
  enumerations: {
    leads: 'zijn|omvat(?:ten)?|bevat(?:ten)?|bied(?:t|en)|ondersteun(?:t|en)|zoals|namelijk|tussen',
    joins: 'en|of',
  },
  determiners: 'de het een dit dat deze die elk elke zijn haar hun',
  conjunctions: 'en of maar als dan',
  words: {
    questions: 'hoe wat wie waar wanneer waarom kan',
    aspects: 'voorbeeld verschil reden',
    contrasts: '',
    connectors: '',
    reasons: '',
    additions: '',
    fillers: '',
    numbers: 'een twee drie vier vijf zes zeven acht negen tien',
  },
  sections: {
    summaries: 'samenvatting, inleiding',
    overviews: 'conclusie, conclusies, overzicht',
    keywords: 'trefwoorden',
  },
  dates: {
    to: 'tot en',
    beforeYear: 'in van sinds tussen tot rond jaar',
    onlyBeforeYear: 'jaar',
    counted: 'meter uur jaar',
  },
  definitions: {
    sentences: [
      '(?:een |de |het )?{term} is een (?:\\p{L}{1,30} ){1,4}(?:die|dat|waarbij|waarin|voor|van|om)\\b{rest}',
      'onder (?:een )?{term} verstaat men {rest}',
    ],
    references: 'dit|dat',
    remarks: 'let op|voorbeeld',
    indefinite: 'een',
    definite: 'de|het',
    distinctions: 'van|dat|voor',
    instructions: 'moet|kan|is',
    headings: 'begrippen',
  },
  summaryRequests: {
    leads:
      'kun kunt kan je u alsjeblieft alstublieft graag ik wil mij me ons geef maak schrijf toon een de het korte kleine wat zijn',
    requests: [
      /^vat (?<rest>.+) samen$/iu,
      /^(?<rest>.+) samenvatten$/iu,
      /^(?:samenvatting|overzicht|hoofdpunten|kernpunten|belangrijkste (?:punten|conclusies|thema['’]s))(?<rest>$| (?:van|over|in|geven|maken|alsjeblieft).*)/iu,
      /^waar (?:gaat|gaan)(?<rest> .+) over$/iu,
    ],
    ofAll:
      'dit dat deze die de het een van over in alles alle document documenten bestand bestanden bron bronnen notitieboek pagina tekst teksten artikel artikelen kort even alsjeblieft me mij ons hier geven maken ' +
      'zinnen zin woorden enkele twee drie vijf',
    standsFor: /(?<!\p{L})(?:dat|dit)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [],
    cells: 'niet in de bronnen; niet vermeld; niet genoemd; niet aangegeven; geen gegevens',
  },
  choices: { called: 'antwoord', is: 'is' },
  modelTalk: {
    agrees: 'natuurlijk[,!.]',
    presents: 'hier (?:is|zijn|volgt)|hieronder',
    speaks: /^(?:als (?:ai|taalmodel|assistent)|ik (?:heb|zal|kan|hoop|ben))(?!\p{L})/iu,
    agreements: 'natuurlijk',
    pointers: 'zie ook',
  },
  injections: {
    address:
      /(?<!\p{L})(?:negeer|vergeet)\s(?:(?:alle|die|al|de|je|uw|vorige|eerdere|bovenstaande)\s){1,5}(?:\p{L}{1,20}\s)?(?:prompts?|instructies|opdrachten|regels)(?!\p{L})|(?<!\p{L})aan alle\s(?:die\s)?(?:assistenten|taalmodellen)/iu,
    addressed:
      /(?<!\p{L})(?:antwoord|schrijf|zeg|meld|herhaal),?\s(?:(?:alleen|de|gebruiker),?\s){0,3}(?:met|dat|deze|[:„"“])/iu,
    plain: /(?<=^|[.!?:;„"]\s{0,3}|\n)(?:antwoord|schrijf)(?:\salleen){0,2}(?:\sdat\s|\smet deze zin)/iu,
  },
  definedNames: { articles: 'de' },
  formats: {
    tables: 'tabel(?:len)?',
    lists: 'lijst(?:en)?|opsomming',
    beforeKnownTable: 'deze|de(?=\\stabel(?:len)?(?!\\p{L}))',
  },
  yesOrNo: 'ja|nee',
  tables: { captions: 'tabel' },
  pageNumbers: { names: 'pagina' },
  pleaseWait: 'een ogenblik',
};

export const DUTCH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always:
      'bijv, d. w. z, dhr, drs, evt, excl, i. p. v, i. v. m, m. b. t, m. n, mej, mevr, mw, nl, o. a, t. o. v, z. g, zgn, Ir',
    numbered: 'afb, afl, blz, hfst',
  },
  figures: { names: 'figu(?:ur|ren)|afbeelding(?:en)?|afb', pluralEndings: 'en', tables: 'tabel(?:len)?' },
  beforeLast: 'en',
};
