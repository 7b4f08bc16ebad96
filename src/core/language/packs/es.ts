import { stemmer } from '@orama/stemmers/spanish';
import { stopwords } from '@orama/stopwords/spanish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const SPANISH: LanguagePack = {
  name: 'spanish',
  code: 'es',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'áéíóúñü',
  negations: {
    ahead: 'no nunca jamás ni sin ningún ninguno ninguna nada nadie tampoco',
    except: 'solo solamente embargo',
    or: 'o',
  },
  followUps: {
    continuation:
      /^(?:y|pero|entonces|qué tal|qué hay de|por ejemplo|cuál de|cuáles de)(?= )|^(?:por qué|cómo|cuándo|dónde|quién|cuál|cuáles|más|sigue|continúa)(?: no)?$|(?<!\p{L})un ejemplo$/iu,
    pointsBack:
      /(?<!\p{L})(?:eso|esto|ello|aquello|de ell[oa]s|lo mismo$|ambos$|(?:cómo|dónde|cuándo|no|se|me) lo (?!que|mejor|mismo|más)\p{L}{1,30}|l[oa]s \p{L}{2,30}(?:o|[aei]mos)$|\p{L}{3,30}[aei]r(?:los?|las?|les?))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:él|ella|ellos|ellas)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:el|la|del?|de la|al?) (primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|últim[oa])(?=$|,| (?:punto|opción|paso|método|elemento|ejemplo|solución|de ell[oa]s|hace|es|sirve)(?!\p{L}))/iu,
    ordinals: 'primer segund tercer cuart quint',
    last: 'últim',
    numbered: 'número|punto|opción|paso',
    articles: 'el|la|los|las|un[ao]?s?',
  },
  enumerations: {
    leads: 'son|incluyen?|incluyendo|ofrecen?|admiten?|comprenden?|tales como|como|a saber|entre',
    joins: 'y|e|o|u',
  },
  determiners: 'el la los las un una unos unas del al este esta estos estas su sus cada',
  conjunctions: 'y e o u pero si que cuando',
  words: {
    questions: 'qué quién cuándo cómo cuánto dónde puede',
    aspects: 'ejemplo diferencia razón',
    contrasts: 'pero sino aunque mientras',
    connectors: 'y pero',
    reasons: 'porque',
    additions: 'y',
    fillers: 'el los las del era eran fue fueron es son lo',
    numbers: 'uno dos tres cuatro cinco seis siete ocho nueve diez',
  },
  sections: {
    summaries: 'resumen, introducción',
    overviews: 'conclusión, conclusiones',
    keywords: 'palabras clave',
    contents: 'índice, contenido',
    references: 'referencias, bibliografía',
    others: 'agradecimientos',
  },
  dates: {
    dayEndings: 'º|ª',
    of: 'de del',
    to: 'a al y',
    beforeYear: 'en desde entre hasta hacia año de',
    onlyBeforeYear: 'año',
    partsOfYear: '(?:finales|principios|mediados) de',
    counted: 'metros horas días personas',
  },
  definitions: {
    sentences: [
      '(?:el|la|los|las|una?) {term} (?:es|son) (?:una?|el|la) (?:\\p{L}{1,30} ){1,5}(?:que|por|para|con|en|cuyo|usado|utilizado)\\b{rest}',
      '(?:se (?:llama|denomina|conoce como|entiende por)) {term} (?:al?|la|el|los?|un)\\b{rest}',
      '(?:el|la|los|las|una?) {term} (?:se define como|se refiere a|designa|significa) {rest}',
    ],
    references: 'esta?|este|eso|esto|autor',
    remarks: 'nota|aviso|ejemplo|atención',
    indefinite: 'una',
    definite: 'el|la|los|las',
    distinctions: 'de|del|que|para',
    instructions: 'debe|deben|puede|es|son',
    headings: 'glosario|definiciones',
    headingJoins: 'y',
  },
  summaryRequests: {
    leads:
      'puedes podrías puede podría por favor quiero quisiera necesito me nos dame danos haz hazme hacer hacerme dar darme escribe muéstrame un una el la los las breve corto pequeño cuáles son',
    requests: [
      /^(?:resum(?:e|ir|a|an)|resúmeme|resumirme|sintetiza)(?<rest>$| .*)/iu,
      /^(?:resumen|síntesis|visión general|(?:puntos|ideas) (?:principales|clave|esenciales|más importantes))(?<rest>$|,.*| (?:del?|sobre|en|por).*)/iu,
      /^de qué (?:tratan?|hablan?|van?)(?<rest>.*)$/iu,
    ],
    ofAll:
      'este esta estos estas esto eso el la los las lo un una de del sobre en todo todos toda todas documento documentos archivo archivos fuente fuentes cuaderno página páginas texto textos artículo artículos ' +
      'por favor me nos aquí frases frase palabras pocas dos tres cinco',
    standsFor: /(?<!\p{L})(?:eso|esto)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [
      /(?<!\p{L})no\s.{0,30}(?<!\p{L})(?:pasajes?|fuentes?|documentos?|fragmentos?)(?!\p{L})|(?<!\p{L})(?:pasajes|fuentes|documentos|fragmentos)\s+no\s/iu,
    ],
    cells:
      'no está en las fuentes; no figura en las fuentes; no indicado; no mencionado; no especificado; no consta; sin datos',
  },
  choices: { called: 'respuesta', is: 'es' },
  codeWords: 'clases?|código|funci(?:ón|ones)|métodos?',
  modelTalk: {
    agrees: '(?:claro|por supuesto)[,!.]',
    presents: 'aquí (?:está|tiene|tienes)|a continuación',
    speaks:
      /^(?:como (?:ia|(?:un )?modelo de lenguaje|asistente)|(?:yo )?(?:espero que esto|he (?:encontrado|buscado)))(?!\p{L})/iu,
    agreements: 'claro',
    pointers: 'véase también',
  },
  injections: {
    address:
      /(?<!\p{L})(?:ignore|ignora[rd]?|olvidad?)\s(?:(?:todas?|todos?|las?|los|tus|sus|anteriores|previas)\s){1,5}(?:\p{L}{1,20}\s)?(?:instrucciones|órdenes|reglas)(?!\p{L})/iu,
    addressed:
      /(?<!\p{L})(?:responde|responda|escribe|escriba|di|diga)\s(?:(?:solo|sólo|apenas|al|usuario)\s){0,3}(?:que\s|par|co[mn]|esta|["“«:])/iu,
    plain:
      /(?<=^|[.!?:;"«]\s{0,3}|\n)(?:responde|responda|escribe|escriba)\s(?:(?:solo|sólo|apenas)\s){0,2}(?:que\s|con esta frase)/iu,
  },
  datedReferences: 'consultado',
  definedNames: { articles: 'el|la|los|las', joins: 'o' },
  formats: {
    tables: 'tablas?',
    lists: 'listas?|list(?:ar|e)|enumer[ae]r?',
    beforeKnownTable: 'las?|los|estas?|esas?',
  },
  yesOrNo: 'sí|no',
  tables: { captions: 'tabla', continued: 'continuación' },
  continuations: 'sin embargo|además|por lo tanto',
  remarks: 'figura|tabla|véase',
  pageNumbers: { names: 'página', of: 'de' },
  pleaseWait: 'espere',
  signIn: 'iniciar sesión|acceder',
};

export const SPANISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always:
      'aprox, avda, cnel, depto, dpto, dra, dres, lic, p. ej, plza, profa, pza, sra, sras, sres, srta, srtas, tte, Arq, Av, Avd, Dña, Excma, Excmo, Fdo, Gral, Ilma, Ilmo, Ntra, Sta, Sto',
    numbered: 'abr, ago, cap, dic, ene, núm, núms, pág, págs, vols',
    inParts: 'EE. UU, a. C',
    // "El Sr. García", unlike Martin Luther King Sr.
    tied: ['(?<![\\p{L}\\p{N}.])(?<!\\p{Lu}\\p{Ll}{2,30},?\\s)[Ss]r', '(?<!\\p{L})(?:[Ee]stimado|Los)\\sSr'],
  },
  figures: {
    names: 'figuras?|figs?',
    pluralEndings: 's',
    tables: 'tablas?|listado|recuadro',
    pictures: 'imagen|gráfic[oa]',
  },
  beforeLast: 'y|e',
};
