import { stemmer } from '@orama/stemmers/french';
import { stopwords } from '@orama/stopwords/french';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const FRENCH: LanguagePack = {
  name: 'french',
  code: 'fr',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'éèêëàâîïôûùçœæ',
  negations: {
    ahead: 'pas jamais aucun aucune sans ni rien non',
    behindVerb: 'pas jamais',
    except: 'seulement doute',
    or: 'ou',
  },
  followUps: {
    continuation:
      /^(?:et|mais|donc|alors|qu['’]en est-il|encore|plus de|par exemple)(?= )|^(?:pourquoi|comment|quand|où|qui|combien|continue|encore)(?: pas)?$|^(?:lequel|laquelle|lesquels|lesquelles)(?!\p{L})/iu,
    pointsBack:
      /(?<!\p{L})(?:cela|ça|ce(?:lui|lle|ux|lles)-(?:ci|là)|ce dernier|cette dernière|d['’]entre (?:eux|elles)|les deux$|(?:comment|peut-on|puis-je|faut-il|dois-je|pour) (?:le |la |les |l['’])\p{L}{2,30}[ei]r)(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ils?|elles?|eux|lui|leur)(?!\p{L})/iu,
    expletive:
      /(?<!\p{L})(?:est-il (?=possible|nécessaire|obligatoire|interdit|permis|utile|conseillé|vrai)|faut-il|y a-t-il|se passe-t-il|s['’]agit-il|fait-il|il y a|il faut|il pleut|il neige)/giu,
    item: /(?<!\p{L})(?:les?|la|du|de la|au|à la) (premi(?:er|ère)|deuxième|seconde?|troisième|quatrième|cinquième|derni(?:er|ère))(?=$|,| (?:point|option|étape|méthode|élément|exemple|solution|possibilité|d['’]entre|fait|est|fonctionne|sert|a)(?!\p{L}))/iu,
    ordinals: 'premi deuxi|second trois quatri cinqu',
    last: 'derni',
    numbered: 'numéro|point|option|étape|variante',
    articles: 'les?|la|une?|des|du|[mts](?:on|a|es)|cet?|cette|ces|quel(?:le)?s?',
  },
  enumerations: {
    leads:
      'sont|compren(?:d|nent|ant)|inclu(?:t|ent|ant)|offr(?:e|ent)|prend en charge|tel(?:le)?s que|comme|à savoir|entre',
    joins: 'et|ou',
  },
  determiners: 'le la les l un une des du au aux d ce cet cette ces son sa ses leur leurs chaque',
  conjunctions: 'et ou mais si que quand',
  backReferences: 'il elle ils elles cela ceci ce cet cette ces son sa ses leur leurs celui celle',
  words: {
    questions: 'que quoi qui quand comment combien pourquoi où',
    aspects: 'exemple différence raison',
    contrasts: 'mais cependant toutefois tandis',
    connectors: 'et mais cependant toutefois',
    reasons: 'parce',
    additions: 'et',
    fillers: 'le la les un une des du de en dans au aux est sont était étaient avait avaient il y',
    numbers: 'un deux trois quatre cinq six sept huit neuf dix',
  },
  sections: {
    summaries: 'résumé, introduction',
    overviews: 'conclusion, conclusions, synthèse, aperçu',
    keywords: 'mots clés',
    contents: 'sommaire, table des matières',
    references: 'références, bibliographie',
    others: 'remerciements',
    appendixes: 'annexe, annexes',
  },
  dates: {
    dayEndings: 'er',
    of: 'de',
    to: 'à au et',
    beforeYear: "en depuis dès entre jusqu'en vers année de",
    onlyBeforeYear: 'année',
    partsOfYear: 'fin|début',
    counted: 'mètres heures jours personnes euros',
  },
  definitions: {
    sentences: [
      "(?:l['’]|(?:le|la|les|une?) ){term} (?:est|sont) (?:une?|des|l['’]|le|la)\\s?(?:[\\p{L}'’]{1,30} ){1,5}(?:qui|que|par|dont|où|permettant|dans|servant|utilisée?|de)\\b{rest}",
      "on (?:appelle|nomme) (?:une? )?{term} (?:une?|la|le|les|l['’]|ce|tout){rest}",
      "(?:l['’]|(?:le|la|les|une?) ){term} (?:désigne|signifie|se définit comme|est définie? comme){rest}",
    ],
    introductions: 'on appelle|on nomme',
    references: 'ce|cet|cette|ces|il|elle|on|ici',
    remarks: 'remarque|attention|exemple',
    indefinite: 'une?',
    definite: 'le|la|les',
    elided: "l['’]",
    distinctions: "d['’]|de|du|des|qui|que|pour",
    instructions: 'doit|doivent|peut|peuvent|est|sont',
    headings: 'glossaire|définitions|abréviations',
    headingJoins: 'et',
  },
  summaryRequests: {
    leads:
      "peux tu pouvez vous pourrais pourriez s'il te plaît plait stp svp je veux voudrais moi nous me donne donnez fais faites faire donner écris écrire montre un une le la les des bref court petit quels quelles sont",
    requests: [
      /^(?:résume[rz]?)(?:-(?:moi|nous))?(?<rest>$| .*)/iu,
      /^(?:résumé|synthèse|aperçu|vue d['’]ensemble|(?:points|idées) (?:essentiel(?:le)?s|principa(?:ux|les)|clés?)|grandes lignes)(?<rest>$|,.*| (?:de|du|des|d['’]|sur|en|s['’]il).*)/iu,
      /^de quoi (?:parle(?:nt)?|traite(?:nt)?|s['’]agit-il dans|est-il question dans)(?<rest>.*)$/iu,
    ],
    ofAll:
      "ce cet cette ces ça cela ceci le la les l' un une de du des d' sur en dans tout tous toute toutes document documents fichier fichiers source sources carnet page pages texte textes article articles " +
      "s'il te vous plaît plait stp svp moi nous ici phrases phrase mots quelques deux trois cinq",
    standsFor: /(?<!\p{L})(?:cela|ça)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [
      /(?<!\p{L})(?:passages?|sources?|documents?|extraits?)(?!\p{L}).{0,20}(?<!\p{L})(?:ne|n['’])\s?\p{L}.{0,30}(?<!\p{L})(?:pas|rien|aucune?)(?!\p{L})/iu,
    ],
    cells:
      'pas dans les sources; absent des sources; non indiqué; non précisé; non mentionné; non spécifié; non renseigné',
  },
  choices: { called: 'réponse', is: 'est' },
  codeWords: 'classes?|fonctions?|implément\\p{L}*|méthodes?|variables?',
  inexactNumbers: 'environ|moins|plus|près|presque',
  units: {
    second: 'seconde secondes',
    meter: 'mètre mètres',
    gram: 'gramme grammes',
    liter: 'litre litres',
    byte: 'octet octets',
    watt: 'watt watts',
    hertz: 'hertz',
    minute: 'minute minutes',
    hour: 'heure heures',
    day: 'jour jours',
    week: 'semaine semaines',
    month: 'mois',
    year: 'an ans année années',
    hectare: 'hectare hectares',
    ton: 'tonne tonnes',
    euro: 'euro euros',
    dollar: 'dollar dollars',
  },
  modelTalk: {
    agrees: '(?:bien sûr|certainement)[,!.]',
    presents: 'voici|ci-dessous',
    speaks:
      /^(?:en tant qu['’](?:ia|assistante?|intelligence)|je (?:vais|peux|suis|n['’]ai|me)|j['’](?:ai|espère)|n['’]hésitez pas)(?!\p{L})/iu,
    agreements: 'bien sûr',
    pointers: 'voir aussi',
  },
  injections: {
    address:
      /(?<!\p{L})(?:ignore[zr]?|oublie[zr]?)\s(?:(?:toutes?|tous|les?|tes|vos)\s){1,5}(?:\p{L}{1,20}\s)?(?:instructions?|consignes|règles|ordres)(?!\p{L})/iu,
    addressed:
      /(?<!\p{L})(?:répond(?:s|ez)|écri(?:s|vez)|di(?:s|tes))\s(?:(?:seulement|uniquement|à|l['’]utilisateur)\s){0,3}(?:que\s|qu['’]|avec|par|co[mn]|cette|["“«:])/iu,
    plain:
      /(?<=^|[.!?:;"«]\s{0,3}|\n)(?:répond(?:s|ez)|écri(?:s|vez))\s(?:(?:seulement|uniquement)\s){0,2}(?:que\s|qu['’]|(?:par|avec) cette phrase)/iu,
  },
  boilerplate: {
    phrases: [
      ['réservés', /\btous droits réservés\b/i],
      ['prospectives', /\bdéclarations prospectives\b/i],
    ],
    questions: 'licence garantie responsabilité contrat droits',
  },
  datedReferences: 'consulté le',
  definedNames: { articles: 'ci-après', joins: 'ou' },
  formats: { tables: 'tableaux?', lists: 'listes?|énumér\\p{L}{1,4}', beforeKnownTable: 'les?|ces?|cette' },
  yesOrNo: 'oui|non',
  tables: { captions: 'tableau', continued: 'suite' },
  continuations: 'cependant|toutefois|de plus|ainsi|donc',
  remarks: 'tableau|voir',
  hyphens: {
    conjunctions: 'et ou',
    links: 'de du la le en sur sous',
    firstParts: 'peut',
    secondParts: 'même mêmes',
  },
  pageNumbers: { names: 'pages?', of: 'de|sur' },
  pleaseWait: 'veuillez patienter',
  signIn: 'connexion|se connecter',
  numberWords: {
    ones: 'zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    tens: 'vingt|vingts trente quarante cinquante soixante septante huitante|octante nonante',
    dozen: 'douzaine',
    scales: 'cent|cents mille|milliers million|millions milliard|milliards',
    fractions: 'moitie|demi tiers quart|quarts cinquieme|cinquiemes dixieme|dixiemes',
    and: 'et',
    percent: 'pour cent',
  },
  unitLinks: "d['’](?:une )?|de",
  oneUnit: 'une?',
};

export const FRENCH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'éd, mgr, mlle, mlles, mme, mmes, p. ex, MM, Pr, Ste',
    numbered: 'avr, déc, env, févr, janv, juill, livr, rév, tabl',
    inParts: 'apr. J, av. J',
    // "selon M. Dupont", unlike size M.
    tied: [
      '(?<!\\p{L})(?:après|avant|avec|chez|comme|contre|depuis|dont|entre|mais|par|pour|que|qui|sans|selon|sur|vers)\\sM',
    ],
  },
  figures: {
    names: 'figures?|figs?|illustrations?',
    pluralEndings: 's',
    tables: 'tableaux?|encadré',
    pictures: 'schéma|images?|dessin',
  },
  beforeLast: 'et',
};
