import { stemmer } from '@orama/stemmers/german';
import { stopwords } from '@orama/stopwords/german';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const GERMAN: LanguagePack = {
  name: 'german',
  code: 'de',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: true,
  hasCapitalNouns: true,
  alphabet: 'äöüß',
  negations: {
    ahead:
      'nicht nichts nie niemals niemand nirgends kein keine keinem keinen keiner keines keinerlei ohne weder',
    behindVerb: 'nicht nie niemals',
    except: 'nur',
    or: 'oder',
  },
  followUps: {
    continuation:
      /^(?:und|aber|oder|also|und was ist mit|was ist mit|wie steht es mit|noch|noch mehr|mehr dazu|erzähl mehr|weiter|zum Beispiel)(?= )|^(?:warum|wieso|weshalb|wann|wo|wie|wer|wozu|welche[nrs]?|weiter|mehr)(?: nicht| genau| denn)?$|(?<!\p{L})ein(?: \p{L}{1,20})? Beispiel$/iu,
    pointsBack:
      /(?<!\p{L})(?:(?:davon|damit|dafür|dabei|daran|darin|darauf|dazu|dagegen|danach|hierfür|hierzu)(?!,? (?:dass|ob|wenn|wie|zu)(?!\p{L}))|(?:erstere|letztere|dasselbe|derselbe|dieselbe)[nrs]?|(?<!, )das(?=$| \p{Ll}{1,30}(?! \p{Lu}|\p{L})))(?!\p{L})/u,
    standsFor: /(?<!\p{L})(?:er|sie|es|ihn|ihm|ihnen|seine?[mnrs]?|ihre[mnrs]?)(?!\p{L})/u,
    expletive:
      /(?<!\p{L})(?:(?:gibt|geht|handelt|wird|kommt|regnet|schneit|brennt|ist|lohnt|klappt) es|es (?:gibt|geht|regnet|schneit|brennt|möglich|nötig))(?!\p{L})/giu,
    item: /(?<!\p{L})(?:de[mnrs]|die|das|zum|zur|beim|vom) (erst|zweit|dritt|viert|fünft|sechst|letzt)e[mnrs]?(?=$|,| (?:Punkt|Schritt|Option|Variante|Möglichkeit|Weg|Methode|Grund|Beispiel|Eintrag|davon|von)(?!\p{L})| \p{Ll}{1,30}(?! \p{Lu}|\p{L}))/u,
    ordinals: 'erst zweit dritt viert fünft sechst',
    last: 'letzt',
    numbered: 'nummer|punkt|schritt|option|variante',
    articles: 'de[mnrs]|die|das|eine?[mnrs]?',
  },
  enumerations: {
    leads:
      'sind|umfass(?:t|en)|enthält|enthalten|biete[nt]|unterstütz(?:t|en)|besteht aus|bestehen aus|wie|nämlich|entweder|sowohl|zwischen',
    joins: 'und|oder|sowie',
  },
  determiners:
    'der die das den dem des ein eine einen einem einer eines kein keine dieser diese dieses jeder jede jedes zum zur im am vom beim',
  conjunctions: 'und oder sowie aber sondern wenn weil als',
  backReferences: 'er sie es ihr ihre dies diese dieser dieses das jener jene beide davon dabei damit dort',
  words: {
    questions: 'warum wieso weshalb wann wo wie wer wozu was welche kann',
    aspects: 'beispiel unterschied grund grenze nachteil vorteil',
    contrasts: 'aber jedoch doch sondern während obwohl',
    connectors: 'und aber jedoch doch',
    reasons: 'weil',
    additions: 'und',
    fillers:
      'der die das dem den des ein eine einen einem einer eines im am bei für von vom war waren ist sind hat hatte hatten es gab',
    numbers: 'eins zwei drei vier fünf sechs sieben acht neun zehn',
  },
  sections: {
    summaries: 'zusammenfassung, einleitung, kurzfassung',
    overviews: 'fazit, einführung, überblick, übersicht, schlussfolgerung, schlussfolgerungen',
    keywords: 'schlüsselwörter, schlagwörter',
    contents: 'inhalt, inhaltsverzeichnis',
    references: 'literatur, literaturverzeichnis',
    others: 'danksagung',
    appendixes: 'anhang',
  },
  dates: {
    to: 'bis und',
    beforeYear: 'im jahr jahre seit von zwischen bis um ab nach vor anno',
    onlyBeforeYear: 'jahr jahre anno',
    partsOfYear: 'ende|anfang|mitte|frühjahr|sommer|herbst|gegründet|erbaut',
    counted: 'meter metern gramm euro jahre jahren stunden tage',
    beforeNumber: 'nr',
  },
  definitions: {
    sentences: [
      '(?:der|die|das|ein|eine) {term} (?:ist|sind) (?:ein|eine|der|die|das)\\b(?: \\p{L}{1,30}){1,4}, (?:d(?:er|ie|as|em|en)|bei|mit|in|durch|für|an|welche[rs]?)\\b{rest}',
      'unter (?:eine[rm] |der |dem )?{term} versteht man {rest}',
      'als {term} (?:bezeichnet man|wird|werden|gilt|gelten) {rest}',
      '(?:der begriff |ein |eine |der |die |das )?{term} (?:bezeichnet|bedeutet|bezeichnen|steht für) {rest}',
    ],
    references: 'es|das|dies|diese[rs]?|er|sie|wir|man|hier|was|wer|wenn|autor',
    remarks: 'hinweis|achtung|warnung|beispiel|wichtig|tipp',
    indefinite: 'ein|eine',
    definite: 'der|die|das',
    distinctions: 'der|des|die|das|von|für',
    instructions: 'muss|müssen|soll|sollte|kann|können|wird|werden|ist|sind|hat',
    headings: 'glossar|begriffe|definitionen|abkürzungen',
    headingJoins: 'und',
  },
  summaryRequests: {
    leads:
      'bitte kannst könntest können könnten du sie mir uns ich möchte will hätte gern gerne brauche gib geben mach mache erstelle schreib schreibe zeig zeige ' +
      'nenn nenne ein eine einen die den kurze kurzen knappe knappen groben kleine was sind lauten',
    requests: [
      /^(?:fass|fasse|fassen) (?<rest>.+) zusammen$/iu,
      /^(?<rest>.+) zusammenfassen$/iu,
      /^(?:zusammenfassung|überblick|übersicht|kernaussagen|hauptpunkte|hauptaussagen|wichtigsten (?:punkte|aussagen|erkenntnisse|themen))(?<rest>$| (?:von|vom|der|des|dieser|über|zu|zum|zur|aus|in|für|bitte|geben|machen).*)/iu,
      /^(?:worum geht(?: es|['’]s)|wovon handel[nt])(?<rest>.*)$/iu,
    ],
    ofAll:
      'das dies diese dieser dieses diesem diesen die der den dem des ein eine es alles alle allen sie mir uns du bitte mal kurz knapp in im aus von vom zu zum zur über hier ganze ' +
      'gesamte gesamten dokument dokuments dokumente dokumenten datei dateien quelle quellen notizbuch seite seiten text texte texten artikel einem einigen wenigen zwei drei fünf ' +
      'satz sätzen stichpunkten worten geben machen',
    standsFor: /(?<!\p{L})(?:das|dies)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [
      /\b(?:Passagen?|Quellen?|Dokumente?|Textstellen?|Auszüge)\b.{0,30}(?<!\p{L})(?:nicht|nichts|keine?[nrms]?)(?!\p{L})/iu,
    ],
    cells:
      'nicht in den quellen; nicht in der quelle; nicht angegeben; nicht genannt; nicht erwähnt; keine angabe; keine angaben; k. a; k.a',
  },
  choices: { called: 'antwort|lösung', is: 'ist|lautet' },
  codeWords: 'funktion(?:en)?|implementiert|klassen?|methoden?|quell(?:code|text)|variablen?',
  inexactNumbers: 'etwa|fast|knapp|mehr|mindestens|rund|ungefähr|weniger|über|unter',
  units: {
    second: 'sekunde sekunden',
    meter: 'meter metern',
    gram: 'gramm',
    liter: 'liter litern',
    byte: 'byte bytes',
    watt: 'watt',
    hertz: 'hertz',
    minute: 'minute minuten',
    hour: 'stunde stunden',
    day: 'tag tage tagen',
    week: 'woche wochen',
    month: 'monat monate monaten',
    year: 'jahr jahre jahren',
    mile: 'meile meilen',
    hectare: 'hektar',
    ton: 'tonne tonnen',
    euro: 'euro euros',
    dollar: 'dollar dollars',
    percent: 'prozent',
  },
  modelTalk: {
    agrees: '(?:gerne?|natürlich|selbstverständlich)[,!.]',
    presents: 'hier (?:ist|sind)|im folgenden',
    speaks: /^(?:als (?:ki|ai|sprachmodell|assistent)|ich (?:habe|werde|kann|hoffe|bin|möchte))(?!\p{L})/iu,
    agreements: 'gerne?|natürlich',
    pointers: 'siehe (?:auch|oben|unten)',
  },
  injections: {
    address:
      /(?<!\p{L})(?:ignorier(?:e|en|t)|vergiss|missachte)\s(?:(?:sie|alle|die|deine|ihre|vorherigen|bisherigen|obigen|früheren|anderen)\s){1,5}(?:\p{L}{1,20}\s)?(?:anweisungen|anordnungen|vorgaben|regeln|befehle|prompts?)(?!\p{L})|(?<!\p{L})(?:an alle|hinweis (?:an|für))\s(?:die\s)?(?:ki|sprachmodelle?|assistenten)/iu,
    addressed:
      /(?<!\p{L})(?:antworten?|schreib(?:en?)?|sag(?:en?)?|melde|berichte|gib|wiederhole|erwähne),?\s(?:(?:sie|nur|dem|der|nutzer|immer),?\s){0,3}(?:mit|dass|diesen|dieses|folgendes|folgenden|aus|[:„"“])/iu,
    plain:
      /(?<=^|[.!?:;„"]\s{0,3}|\n)(?:antworte|antworten sie|schreibe?|schreiben sie)(?:\s(?:nur|im bericht|in der antwort)){0,2}(?:,?\sdass\s|\smit (?:diesem|dem folgenden|folgendem) satz)/iu,
  },
  boilerplate: {
    phrases: [
      ['vorbehalten', /\balle rechte vorbehalten\b/i],
      ['zukunftsgerichtete', /\bzukunftsgerichtete aussagen\b/i],
    ],
    questions: 'Lizenz Haftung Gewähr Garantie Urheberrecht Vertrag',
  },
  datedReferences: 'abgerufen|zuletzt',
  definedNames: { articles: 'der|die|das|im Folgenden|nachfolgend', joins: 'oder|und' },
  formats: { tables: 'tabellen?', lists: 'listen?|aufzählung', beforeKnownTable: 'die|der|den|diese[rn]?' },
  yesOrNo: 'ja|nein',
  tables: { captions: 'tabelle', continued: 'fortsetzung' },
  continuations: 'jedoch|außerdem|daher|deshalb|zudem',
  remarks: 'abbildung|tabelle|siehe',
  hyphens: { conjunctions: 'und oder sowie', ranges: 'bis', innerLinks: 'über unter' },
  pageNumbers: { names: 'seite', of: 'von' },
  pleaseWait: 'bitte warten',
  signIn: 'anmelden|einloggen',
  numberWords: {
    ones: 'null ein|eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
    dozen: 'dutzend',
    scales: 'hundert tausend|tausende|tsd millionen|mio milliarde|milliarden|mrd billionen',
    fractions: 'halb|halbe|halben|halfte drittel viertel funftel zehntel',
    and: 'und',
    percent: 'prozent',
  },
  oneUnit: 'ein(?:e[mnr]?)?',
  durationWords: 'viertelstunde:15 dreiviertelstunde:45',
};

export const GERMAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always:
      'allg, bspw, bzw, ca, d, d. h, ehem, evtl, exkl, geb, gegr, ggf, hl, hrsg, inkl, insb, insbes, sog, urspr, vgl, z, zzgl, zzt, Dipl, Fr, Frl, Hr, Hrn, Ing, Mag, Mio, Mrd, Tsd',
    numbered: 'abb, aufl, bd, kap, max, min, mind, nr, str, tab, tel, Dez, Mär, Okt',
    beforeOrdinal: 'am|vom|zum|beim|der|des|dem|den|das|ab|im|seit|jeden',
    inParts: 'a. D, m. E, n. Chr, o. Ä, u. U, u. Ä, v. Chr',
  },
  figures: {
    names: 'figur(?:en)?|abbildung(?:en)?|abbn?|bild(?:er|ern)?|grafik(?:en)?',
    pluralEndings: 'en|ern|er|n',
    ranges: 'bis',
    tables: 'tabellen?|tab|quellcode|beispiel',
    pictures: 'schaubild(?:er)?|zeichnung(?:en)?',
  },
  beforeLast: 'und|sowie',
};
