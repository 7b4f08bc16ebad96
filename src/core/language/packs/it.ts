import { stemmer } from '@orama/stemmers/italian';
import { stopwords } from '@orama/stopwords/italian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const ITALIAN: LanguagePack = {
  name: 'italian',
  code: 'it',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'àèéìòùî',
  negations: {
    ahead: 'non mai nessun nessuno nessuna senza nulla niente neanche nemmeno neppure',
    except: 'solo soltanto solamente',
    or: 'o',
  },
  followUps: {
    continuation:
      /^(?:e|ma|allora|quindi|che ne dici|per esempio|quale di|quali di)(?= )|^(?:perché|come|quando|dove|chi|quale|quali|continua|ancora)(?: no| mai)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:ciò|quest[aeio](?=$| (?:vale|funziona|succede|costa|significa|è|si applica)(?!\p{L}))|quell[aeio]$|di (?:questi|quelli|loro|essi)|entramb[ei]$|(?:come|quando|dove|perché|non|si) lo (?!s[^aeiou]|z|gn|ps)\p{L}{1,30}|\p{L}{3,30}[aei]r(?:l[aeio]|ne))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ess[aeio]|lui|lei|loro)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:il|la|del|della|al|alla|nel|nella) (prim[oa]|second[oa]|terz[oa]|quart[oa]|quint[oa]|ultim[oa])(?=$|,| (?:punto|opzione|passo|metodo|elemento|esempio|soluzione|di|fa|è|serve)(?!\p{L}))/iu,
    ordinals: 'prim second terz quart quint',
    last: 'ultim',
    numbered: 'numero|punto|passo|opzione',
    articles: 'il|i|gli|lo',
  },
  enumerations: {
    leads: 'sono|includ(?:e|ono)|comprend(?:e|ono)|offr(?:e|ono)|support(?:a|ano)|come|cioè|ossia|tra|fra',
    joins: 'ed?|od?',
  },
  determiners:
    'il lo la i gli le l un uno una del della dei degli delle dell al alla ai alle nel nella questo questa',
  conjunctions: 'e ed o ma se che quando',
  words: {
    questions: 'che chi come quando quanto perché dove',
    aspects: 'esempio differenza',
    contrasts: 'ma però tuttavia mentre',
    connectors: 'e ma però',
    reasons: 'perché',
    additions: 'e',
    fillers: 'gli i di nel nella della dei è erano',
    numbers: 'uno due tre quattro cinque sei sette otto nove dieci',
  },
  sections: {
    summaries: 'riassunto, sommario, introduzione',
    overviews: 'conclusione, conclusioni, panoramica',
    keywords: 'parole chiave',
  },
  dates: {
    dayEndings: 'º|ª',
    to: 'e',
    beforeYear: 'nel dal tra fra fino dopo',
    onlyBeforeYear: 'anno',
    counted: 'metri ore anni',
  },
  definitions: {
    sentences: [
      "(?:l['’]|(?:il|lo|la|i|gli|le|una?|uno) ){term} (?:è|sono) (?:una?|uno|il|la|un['’])\\s?(?:\\p{L}{1,30} ){1,5}(?:che|con|per|in|cui|di|usat[oa])\\b{rest}",
      '(?:con|per) {term} si intend(?:e|ono) {rest}',
    ],
    references: 'questo|questa',
    remarks: 'nota|esempio|attenzione',
    indefinite: 'una|uno',
    definite: 'il|lo|la|le|gli',
    elided: "l['’]",
    distinctions: 'di|che|per|da',
    instructions: 'deve|può|è',
    headings: 'glossario|definizioni',
    headingJoins: 'e',
  },
  summaryRequests: {
    leads:
      'puoi potresti può potrebbe per favore voglio vorrei mi ci dammi fai fammi farmi fare dare darmi scrivi mostrami un una il la i gli le breve piccolo quali sono',
    requests: [
      /^(?:riassum(?:i|ere|imi|a|ermi)|sintetizza)(?<rest>$| .*)/iu,
      /^(?:riassunto|sintesi|riepilogo|panoramica|(?:punti|idee) (?:principali|chiave|essenziali|più importanti))(?<rest>$|,.*| (?:d[ei]l?|dell[aeo']|degli|dei|su|sul|sulla|in|per).*)/iu,
      /^di (?:che cosa|cosa|che) (?:parla(?:no)?|tratta(?:no)?)(?<rest>.*)$/iu,
    ],
    ofAll:
      'questo questa questi queste ciò tutto tutti tutta tutte il lo la i gli le un una di del dello della dei degli delle su sul sulla in documento documenti file fonte fonti quaderno pagina pagine testo testi ' +
      'articolo articoli per favore mi ci qui frasi frase parole poche due tre cinque',
    standsFor: /(?<!\p{L})(?:ciò|questo)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [/(?<!\p{L})(?:passaggi|fonti|documenti|brani|estratti)\s+non\s/iu],
    cells: 'non nelle fonti; non è nelle fonti; non indicato; non menzionato; non specificato; non riportato',
  },
  choices: { called: 'risposta', is: 'è' },
  codeWords: 'classi|codice|funzion[ei]|metod[io]',
  modelTalk: {
    agrees: '(?:certo|certamente)[,!.]',
    presents: 'ecco|di seguito',
    speaks:
      /^(?:come (?:ia|modello linguistico|assistente)|(?:io )?(?:spero che questo|ho (?:trovato|cercato)))(?!\p{L})/iu,
    agreements: 'certo',
    pointers: 'vedi anche',
  },
  injections: {
    address:
      /(?<!\p{L})(?:ignora|ignorate|dimentica)\s(?:(?:tutte|tutti|gli|le|tue|precedenti)\s){1,5}(?:\p{L}{1,20}\s)?(?:istruzioni|ordini|regole)(?!\p{L})/iu,
    addressed:
      /(?<!\p{L})(?:rispondi|rispondete|scrivi|scrivete|di['’]?)\s(?:(?:solo|soltanto|al)\s){0,3}(?:che\s|par|co[mn]|questa|["“«:])/iu,
    plain:
      /(?<=^|[.!?:;"«]\s{0,3}|\n)(?:rispondi|scrivi)\s(?:(?:solo|soltanto)\s){0,2}(?:che\s|con questa frase)/iu,
  },
  definedNames: { articles: 'il', joins: 'o' },
  formats: {
    tables: 'tabella',
    lists: 'elenc(?:o|hi|are)',
    beforeKnownTable: 'lo|gli|della|dalla|nella|quest[ae]',
  },
  yesOrNo: 'sì|no',
  tables: { captions: 'tabella' },
  continuations: 'tuttavia|inoltre',
  pageNumbers: { names: 'pagina' },
  pleaseWait: 'attendere',
  signIn: 'accedi',
};

export const ITALIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'avv, cfr, dott, egr, geom, p. es, sig, sigg, spett',
    numbered: 'ott, pag, pagg, sez',
    tied: ["(?<!\\p{L})(?:[Dd]el)?l['’](?:arch|ing|on)", '(?<!\\p{L})ad\\ses'],
  },
  figures: { names: 'figur[ae]|figs?', tables: 'tabell[ae]', pictures: 'immagine|grafico' },
  beforeLast: 'e|ed',
};
