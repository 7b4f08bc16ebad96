import { languageByTag } from './words/languages.ts';
import { ASPECT_WORDS, ORDINAL_WORDS, QUESTION_WORDS } from './words/word-lists.ts';
import { fold } from './words/folding.ts';
import { ENGLISH } from './words/word-terms.ts';
import { languageOfText, splitWords, termsIn } from './words/words.ts';

/** Patterns of follow-up questions in one language, matched against the result of `plainQuestion`. */
interface FollowUpRules {
  /** Beginnings of short follow-up questions, or their whole text. */
  readonly continuation: RegExp;
  /** Words that refer to something said before, anywhere in the question. */
  readonly pointsBack: RegExp;
  /** Pronouns that show a follow-up unless something is named before them. */
  readonly standsFor?: RegExp;
  /** Pronouns without a referent: "gibt es", "faut-il". */
  readonly expletive?: RegExp;
  /** Reference to a list item by its position, as in "le deuxième", "第二个". */
  readonly item: RegExp;
}

/** Rules of all languages except English. */
const RULES: Readonly<Record<string, FollowUpRules>> = {
  de: {
    continuation:
      /^(?:und|aber|oder|also|und was ist mit|was ist mit|wie steht es mit|noch|noch mehr|mehr dazu|erzähl mehr|weiter|zum Beispiel)(?= )|^(?:warum|wieso|weshalb|wann|wo|wie|wer|wozu|welche[nrs]?|weiter|mehr)(?: nicht| genau| denn)?$|(?<!\p{L})ein(?: \p{L}{1,20})? Beispiel$/iu,
    pointsBack:
      /(?<!\p{L})(?:(?:davon|damit|dafür|dabei|daran|darin|darauf|dazu|dagegen|danach|hierfür|hierzu)(?!,? (?:dass|ob|wenn|wie|zu)(?!\p{L}))|(?:erstere|letztere|dasselbe|derselbe|dieselbe)[nrs]?|(?<!, )das(?=$| \p{Ll}{1,30}(?! \p{Lu}|\p{L})))(?!\p{L})/u,
    standsFor: /(?<!\p{L})(?:er|sie|es|ihn|ihm|ihnen|seine?[mnrs]?|ihre[mnrs]?)(?!\p{L})/u,
    expletive:
      /(?<!\p{L})(?:(?:gibt|geht|handelt|wird|kommt|regnet|schneit|brennt|ist|lohnt|klappt) es|es (?:gibt|geht|regnet|schneit|brennt|möglich|nötig))(?!\p{L})/giu,
    item: /(?<!\p{L})(?:de[mnrs]|die|das|zum|zur|beim|vom) (erst|zweit|dritt|viert|fünft|sechst|letzt)e[mnrs]?(?=$|,| (?:Punkt|Schritt|Option|Variante|Möglichkeit|Weg|Methode|Grund|Beispiel|Eintrag|davon|von)(?!\p{L})| \p{Ll}{1,30}(?! \p{Lu}|\p{L}))/u,
  },
  fr: {
    continuation:
      /^(?:et|mais|donc|alors|qu['’]en est-il|encore|plus de|par exemple)(?= )|^(?:pourquoi|comment|quand|où|qui|combien|continue|encore)(?: pas)?$|^(?:lequel|laquelle|lesquels|lesquelles)(?!\p{L})/iu,
    pointsBack:
      /(?<!\p{L})(?:cela|ça|ce(?:lui|lle|ux|lles)-(?:ci|là)|ce dernier|cette dernière|d['’]entre (?:eux|elles)|les deux$|(?:comment|peut-on|puis-je|faut-il|dois-je|pour) (?:le |la |les |l['’])\p{L}{2,30}[ei]r)(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ils?|elles?|eux|lui|leur)(?!\p{L})/iu,
    expletive:
      /(?<!\p{L})(?:est-il (?=possible|nécessaire|obligatoire|interdit|permis|utile|conseillé|vrai)|faut-il|y a-t-il|se passe-t-il|s['’]agit-il|fait-il|il y a|il faut|il pleut|il neige)/giu,
    item: /(?<!\p{L})(?:les?|la|du|de la|au|à la) (premi(?:er|ère)|deuxième|seconde?|troisième|quatrième|cinquième|derni(?:er|ère))(?=$|,| (?:point|option|étape|méthode|élément|exemple|solution|possibilité|d['’]entre|fait|est|fonctionne|sert|a)(?!\p{L}))/iu,
  },
  es: {
    continuation:
      /^(?:y|pero|entonces|qué tal|qué hay de|por ejemplo|cuál de|cuáles de)(?= )|^(?:por qué|cómo|cuándo|dónde|quién|cuál|cuáles|más|sigue|continúa)(?: no)?$|(?<!\p{L})un ejemplo$/iu,
    pointsBack:
      /(?<!\p{L})(?:eso|esto|ello|aquello|de ell[oa]s|lo mismo$|ambos$|(?:cómo|dónde|cuándo|no|se|me) lo (?!que|mejor|mismo|más)\p{L}{1,30}|l[oa]s \p{L}{2,30}(?:o|[aei]mos)$|\p{L}{3,30}[aei]r(?:los?|las?|les?))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:él|ella|ellos|ellas)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:el|la|del?|de la|al?) (primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|últim[oa])(?=$|,| (?:punto|opción|paso|método|elemento|ejemplo|solución|de ell[oa]s|hace|es|sirve)(?!\p{L}))/iu,
  },
  it: {
    continuation:
      /^(?:e|ma|allora|quindi|che ne dici|per esempio|quale di|quali di)(?= )|^(?:perché|come|quando|dove|chi|quale|quali|continua|ancora)(?: no| mai)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:ciò|quest[aeio](?=$| (?:vale|funziona|succede|costa|significa|è|si applica)(?!\p{L}))|quell[aeio]$|di (?:questi|quelli|loro|essi)|entramb[ei]$|(?:come|quando|dove|perché|non|si) lo (?!s[^aeiou]|z|gn|ps)\p{L}{1,30}|\p{L}{3,30}[aei]r(?:l[aeio]|ne))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ess[aeio]|lui|lei|loro)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:il|la|del|della|al|alla|nel|nella) (prim[oa]|second[oa]|terz[oa]|quart[oa]|quint[oa]|ultim[oa])(?=$|,| (?:punto|opzione|passo|metodo|elemento|esempio|soluzione|di|fa|è|serve)(?!\p{L}))/iu,
  },
  pt: {
    continuation:
      /^(?:e|mas|então|que tal|por exemplo|qual del[ae]s|quais del[ae]s)(?= )|^(?:por ?qu[eê]|como|quando|onde|quem|qual|quais|continue|mais)(?: não)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:[dn]?isso|[dn]?isto|aquilo|[dn]el[ae]s?|o mesmo$|ambos$|\p{L}{2,30}-(?:l?[ao]s?|lhes?))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:eles?|elas?)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:[dn]?[ao]|ao|à) (primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|quint[oa]|últim[oa])(?=$|,| (?:ponto|opção|passo|etapa|método|elemento|exemplo|solução|del[ae]s|faz|é|serve)(?!\p{L}))/iu,
  },
  nl: {
    continuation:
      /^(?:en(?= (?:wat|hoe|waar|wanneer|waarom|wie|in|als|voor|met|op|na|bij|dan|de|het)(?!\p{L}))|maar|dus|en wat met|bijvoorbeeld|welke (?:daarvan|ervan|van))(?= )|^(?:waarom|hoe|wanneer|waar|wie|welke|ga door|meer)(?: niet)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:(?:er|daar|hier)(?:van|mee|voor|bij|in|op|aan|na)|dat$|dit$|beide$|(?:kost|geldt|betekent|werkt|is|duurt|kan|moet|mag|wordt) (?:dat|dit) (?:ook|niet|nog|altijd|voor|met|bij|gratis|mogelijk|zo))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:hij|hem|ze|zij|hun|hen)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:de|het) (eerste|tweede|derde|vierde|vijfde|laatste)(?=$|,| (?:punt|stap|optie|manier|methode|mogelijkheid|voorbeeld|ervan|daarvan|van|nodig|doet|is|werkt)(?!\p{L}))/iu,
  },
  ru: {
    continuation:
      /^(?:а|и|но|или|тогда|так|ещё|например|а что насчёт|как насчёт|как[а-я]{2} из)(?= )|^(?:а )?(?:почему|как|когда|где|кто|зачем|как(?:ой|ая|ое|ие)|сколько|продолжай|подробнее)(?: нет| не| ещё)?$|(?<!\p{L})пример$/iu,
    pointsBack:
      /(?<!\p{L})(?:из них|(?:сколько|как|почему|зачем|когда|где|что) это|это(?=$| (?:стоит|касается|значит|означает|работает|сделать|нужно|можно|возможно|бесплатно|тоже|также|и|для|так)(?!\p{L}))|(?:после|до|для|без|из|от|кроме|при) этого|об? этом)(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:он[аои]?|н?его|н?ему|н?ей|н?её|н?ими?|них|их|ним)(?!\p{L})/iu,
    item: /(?<!\p{L})(перв|втор|трет|четв[её]рт|пят|последн)\p{L}{1,3}(?=$|,| (?:вариант|пункт|шаг|способ|метод|пример|из)(?!\p{Ll}{4}))/iu,
  },
  zh: {
    continuation:
      /^(?:那(?![个里些边])|还有|另外|但是|可是|所以|如果不|比如|例如|继续|为什么$|怎么$|什么时候$|在哪里$)|呢$/u,
    pointsBack:
      /它|其中|前者|后者|[这那]个(?!文|笔|资|目|网|页)|那些|这样|哪一?个(?=更|最|比较|好|便宜|快)|举个?例|别的|其他的?(?:办法|方法)/u,
    item: /第([一二三四五六七八九十]|\d{1,2})(?:[个项点条步]|种方法|种)(?=$|[是的怎如有会能和与需要，]|步骤|选项|方法|要)|(最后)[一]?[个项点条步]/u,
  },
  ja: {
    continuation:
      /^(?:では|じゃあ|それで|でも|他に|ほかに|もっと|続けて|例えば|(?:なぜ|どうして|いつ|どこ)(?:ですか)?$)|(?<=^.{1,8})は$/u,
    pointsBack:
      /^(?:それ|あれ|そこ|その|どちら|これ(?!らの(?:文書|資料|ファイル|ノート)))|前者|後者|例を|例は|他には|ほかには/u,
    item: /([一二三四五六七八九]|\d)(?:つ目|番目)|(最初|最後)の(?:もの|方法|手順|項目|点|選択肢)/u,
  },
  tr: {
    continuation:
      /^(?:peki|ya|ve|ama|mesela|örneğin|başka)(?= )|^(?:neden|niye|niçin|nasıl|ne zaman|nerede|hangisi|devam et)(?!\p{L})/iu,
    pointsBack:
      /(?<!\p{L})(?:on(?:u|un|a|dan|da)|on(?:lar)\p{L}{0,4}|bun(?:u|un|a|dan|lar)\p{L}{0,4}|diğeri|ikisi|örnek ver\p{L}{0,4})(?!\p{L})|^(?:peki )?bu(?! (?:belge|dosya|not|kitap|sayfa|makale|rapor|kaynak|site|metin))(?= )/iu,
    item: /(?<!\p{L})(birinci|ikinci|üçüncü|dördüncü|beşinci|sonuncu)(?:s[iıuü]\p{L}{0,4}| (?:seçenek|adım|madde|yöntem|nokta)\p{L}{0,4})(?!\p{L})/iu,
  },
  ar: {
    continuation:
      /^(?:و(?=كم|كيف|ماذا|متى|أين|هل|لماذا)|لكن|ماذا عن|أيهما|أيهم|(?:لماذا|كيف|متى|أين|أكمل)$)/u,
    pointsBack:
      /(?<!\p{L})(?:هذا|ذلك|هذه|تلك)(?=$| (?:على|في|عن|مع|من|أيضا|صحيح|ممكن|مجاني)(?!\p{L}))|(?<!\p{L})مثال(?:ا|اً)?$/u,
    item: /(?:(?<!\p{L})(?:الخيار|النقطة|الخطوة|الطريقة|المثال|البند)|(?: |^)(?!ال)\p{L}{1,20}) ال(أول|أولى|ثاني|ثانية|ثالث|ثالثة|رابع|رابعة|خامس|خامسة|أخير|أخيرة)$/u,
  },
};

/** Beginnings of ordinal words, with -1 for the last. Longer ones come before their prefixes. */
const PLACES: readonly (readonly [place: number, beginnings: string])[] = [
  [1, 'erst premi prim eerste перв 一 最初 birinci أول'],
  [2, 'zweit deuxi second segund tweede втор 二 ikinci ثاني'],
  [3, 'dritt trois tercer terz terceir derde трет 三 üçüncü ثالث'],
  [4, 'viert quatri cuart quart vierde четв 四 dördüncü رابع'],
  [5, 'fünft cinqu quint vijfde пят 五 beşinci خامس'],
  [6, 'sechst 六'],
  [7, '七'],
  [8, '八'],
  [9, '九'],
  [10, '十'],
  [-1, 'letzt derni últim ultim laatste последн 最后 最後 sonuncu أخير'],
];

/** Reference to a list item by its number: "Punkt 2", "шаг 3". */
const NUMBERED =
  /(?<!\p{L})(?:nummer|punkt|schritt|option|variante|numéro|point|étape|número|punto|opción|paso|numero|passo|opzione|ponto|opção|passo|punt|stap|optie|номер|пункт|шаг|вариант|seçenek|madde|adım|رقم) (\d{1,2})(?!\d)/iu;

/** "the second one", "the last?", "the former does"; not "the first release". */
const POINTS = new RegExp(
  String.raw`\b(?:the|its|their|that)\s+(${ORDINAL_WORDS.join('|')}|last|former|latter|\d{1,2}(?:st|nd|rd|th))(?:\s+(?:of\s+(?:them|these|those)|(?:ones?|items?|points?|options?|steps?|ways?|kinds?|types?|methods?|entry|bullets?|choices?|phases?|reasons?|approach|approaches|arguments?|ideas?|proposals?|statements?|examples?|solutions?|tools?|products?))\b|\s*(?:[?.!,;:]|$)|(?=\s+(?:do|does|did|is|was|work|works|need|needs|mean|means|and|or|differ|compare)\b))`,
  'i',
);
const ENGLISH_NUMBERED = /\b(?:number|point|item|option)\s+(\d{1,2})\b/i;

/** English words that refer to something named before. */
const STANDS_FOR =
  /\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|these|those|former|latter|above)\b/i;
/** Pronouns that are the object of the verb directly before them. */
const OBJECTS = /^(?:it|them|him|her)$/i;
const THIS =
  /\b(?:do|does|did|is|was|are|about|like|than|of|for|with|without|after|before|why|how|change|use|call)\s+(?:this|that)(?:\s*[,;]|\s+(?:an?|the|also|always|still|true|so|work|happen|mean|do|help|cost|take|need|require|apply|affect|change|matter|different|possible|safe|better|worse|needed|necessary|too)\b)|\b(?:this|that)(?:\s*[?.!]*$|\s+(?:in|on|with|for|from|at|by|without)\b)/i;
const SAME_ONE =
  /\b(?:this|that|which|other|another|same|next)\s+(?:ones?|way|case)\b(?!\s+of\s+the\b)|\bthe\s+(?:same|others?|rest|opposite)(?:\s*[?.!,;]|\s*$|\s+(?:for|hold|holds|apply|applies|go|goes|true|happen|work)\b)/i;
/** Words that continue what was said. */
const GOES_ON =
  /^\s*(?:and|but|so|also|or|then|since|what about|how about|what else|why not|tell me more|more|go on|continue|which ones?|how so|how come|for example)\b/i;
/** "It" without a referent: "is it possible to", "how long does it take to", "if it rains". */
const EXPLETIVE =
  /\b(?:is|was|would|will|does|can)\s+it\s+(?:\w+\s+)?(?:possible|impossible|necessary|safe|better|best|worth|okay|ok|true|important|easy|hard|allowed|take|cost|matter|make sense|rain|snow)\b(?=\s+\w)|\bit\s+(?:rains|snows)\b/gi;
/** Possible referents of a later word: a noun with its article, a plural, the object of a verb, a name, code. */
const NAMES =
  /\b(?:an?|the|my|our|your|every|each|any|no|all|one|two|three)\s+(?!\w{1,40}(?:st|nd|rd|th)\b|(?:last|same|other|difference|default|reason|limit|name|size|code|best|meaning|way|use|point)\b)\p{L}+|\b(?!does\b|this\b|its\b|has\b|was\b|always\b)\p{Ll}{3,40}s\b|\b(?:does|do|did|can|could|is|are|was|were|will|would|should|must|has|have)\s+(?!it\b|they\b|he\b|she\b|you\b|one\b|we\b|all\b|the\b|this\b|that\b|these\b|those\b|there\b|its\b|their\b|both\b|not\b)\p{L}{3,}|(?<=\S\s)\p{Lu}[\p{L}\p{N}]+|[`_/.-]\w|\w[A-Z]/u;
/** Possible referents in other languages: a noun with its article, a name, or a German noun. */
const NAMED =
  /(?<!\p{L})(?:de[mnrs]|die|das|eine?[mnrs]?|les?|la|une?|des|du|[mts](?:on|a|es)|cet?|cette|ces|quel(?:le)?s?|el|los|las|un[ao]?s?|il|i|gli|lo|os?|as?|um|uma|de|het|een) \p{L}{2}|l['’]\p{L}{2}|(?<=\S )\p{Lu}/u;
/** Minimum number of content words that can be a referent. */
const NAMING_TERMS = 2;

/** Maximum number of terms in a question that is a follow-up because of its beginning. */
const FEW_TERMS = 3;
/** The same limit in words for other languages, because content words of short questions are uncertain. */
const FEW_WORDS = 6;
/** Maximum length of a follow-up, in UTF-16 code units. Only English patterns also apply to longer questions. */
const MAX_QUESTION_LENGTH = 300;

const ASPECTS: ReadonlySet<string> = new Set(ASPECT_WORDS.flatMap((word) => [word, ...termsIn(word)]));
const QUESTIONS: ReadonlySet<string> = new Set(QUESTION_WORDS.map(fold));
const ruled = Object.entries(RULES).map(([code, own]) => ({
  ...own,
  language: languageByTag(code) ?? ENGLISH,
}));
const UNKNOWN_LANGUAGE = -1;
/**
 * Maximum number of words for which English isn't certain, because other languages share words with it: "is", "no".
 */
const TOO_FEW_TO_TELL = 4;

/**
 * Returns the rules for a question, without pronouns of other languages: "es" is Spanish for "is". All rules if its
 * language is unknown.
 */
function rulesFor(
  question: string,
  wordCount: number,
): readonly (FollowUpRules & { readonly language: number })[] {
  if (question.length > MAX_QUESTION_LENGTH) return [];
  const detectedLanguage = languageOfText(question, UNKNOWN_LANGUAGE);
  if (detectedLanguage === UNKNOWN_LANGUAGE || (detectedLanguage === ENGLISH && wordCount <= TOO_FEW_TO_TELL))
    return ruled;
  if (detectedLanguage === ENGLISH || !ruled.some(({ language }) => language === detectedLanguage)) return [];
  return ruled.map(({ standsFor, ...own }) =>
    standsFor !== undefined && own.language === detectedLanguage ? { ...own, standsFor } : own,
  );
}

/** Returns a question in one line, without the marks at its beginning and end. Commas stay. */
function plainQuestion(question: string): string {
  return question
    .replaceAll(/[\s¿¡?!.:;"“”„«»？。！؟]+/gu, ' ')
    .replaceAll('，', ',')
    .replaceAll('İ', 'i')
    .trim();
}

/** Reports whether a question depends on what was said before it. */
export function isFollowUp(question: string): boolean {
  const words = splitWords(question);
  const telling = words.filter(({ terms }) => terms.length > 0);
  if (telling.every(({ folded, terms }) => ASPECTS.has(folded) || terms.every((term) => ASPECTS.has(term))))
    return true;
  if (leansBackInEnglish(question, new Set(telling.flatMap(({ terms }) => terms)).size)) return true;
  const plain = plainQuestion(question);
  return rulesFor(question, words.length).some((own) => {
    if (own.pointsBack.test(plain) || own.item.test(plain)) return true;
    if (words.length <= FEW_WORDS && own.continuation.test(plain)) return true;
    const text = own.expletive === undefined ? plain : plain.replaceAll(own.expletive, ' ');
    const stands = own.standsFor?.exec(text) ?? null;
    if (stands === null) return false;
    return !namesSomething(text.slice(0, stands.index), own.language);
  });
}

/** Reports whether the words before a pronoun name its referent. */
function namesSomething(before: string, language: number): boolean {
  const words = splitWords(before, language).filter(({ folded }) => !QUESTIONS.has(folded));
  const telling = words.filter(({ terms }) => terms.length > 0);
  return telling.length >= NAMING_TERMS || NAMED.test(before.charAt(0).toLowerCase() + before.slice(1));
}

function leansBackInEnglish(question: string, terms: number): boolean {
  const text = question.replaceAll(EXPLETIVE, ' ');
  if (THIS.test(text) || SAME_ONE.test(text) || placeInEnglish(text) !== undefined) return true;
  if (terms <= FEW_TERMS && GOES_ON.test(text)) return true;
  const stands = STANDS_FOR.exec(text);
  if (stands === null) return false;
  // A verb before its object isn't a plural: "fixes it".
  const before = text
    .slice(0, stands.index)
    .trimStart()
    .replace(OBJECTS.test(stands[0]) ? /\p{Ll}{3,40}s\s*$/u : '', '');
  return !NAMES.test(before.charAt(0).toLowerCase() + before.slice(1));
}

/**
 * Returns the position of the list item that a question refers to, counted from 1, or -1 for the last; undefined if
 * it refers to none.
 */
export function itemPlaceIn(question: string): number | undefined {
  const inEnglish = placeInEnglish(question);
  if (inEnglish !== undefined) return inEnglish;
  const plain = plainQuestion(question);
  const own = rulesFor(question, splitWords(question).length);
  const numbered = own.length > 0 ? NUMBERED.exec(plain)?.[1] : undefined;
  if (numbered !== undefined) return Number(numbered);
  for (const { item } of own) {
    const groups: readonly (string | undefined)[] = item.exec(plain)?.slice(1) ?? [];
    const word = groups.find((group) => group !== undefined)?.toLowerCase();
    if (word === undefined) continue;
    if (/^\d/.test(word)) return Number(word);
    const place = PLACES.find(([, beginnings]) =>
      beginnings.split(' ').some((beginning) => word.startsWith(beginning)),
    );
    if (place !== undefined) return place[0];
  }
  return undefined;
}

function placeInEnglish(question: string): number | undefined {
  const which = (POINTS.exec(question)?.[1] ?? ENGLISH_NUMBERED.exec(question)?.[1])?.toLowerCase();
  if (which === undefined) return undefined;
  if (which === 'last') return -1;
  if (which === 'former') return 1;
  if (which === 'latter') return 2;
  const ordinal = ORDINAL_WORDS.indexOf(which);
  return ordinal >= 0 ? ordinal + 1 : Number.parseInt(which, 10);
}
