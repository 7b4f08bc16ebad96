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
/** Words that may refer to something said before. */
const STANDS_FOR =
  /(?<!\p{L})(?:it|that|these|those|them|das|dies|cela|ça|eso|esto|ciò|questo|isso|isto|dat|dit|это|его|их|bunu|onu)(?!\p{L})|它|这个$|それ|ذلك|هذا$/iu;
const NAMES_SOURCES =
  /\b(?:documents?|docs?|files?|pdfs?|sources?|notebooks?|pages?|articles?|papers?|books?|reports?|sites?|folders?)\b/iu;

/** Patterns of summary requests in one language. */
interface SummaryRules {
  /** Words before the actual request. */
  readonly leads: string;
  /** Patterns of requests. The group `rest` is the subject. */
  readonly requests: readonly RegExp[];
  /** Words around the subject, which alone mean everything. */
  readonly ofAll: string;
  /** Set for scripts without spaces between words. */
  readonly isUnspaced?: true;
}

const RULES: readonly SummaryRules[] = [
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    leads:
      'pode podes poderia você por favor quero queria preciso me nos dê dá faça faz fazer fazer-me dar escreva mostre um uma o a os as breve curto pequeno quais são',
    requests: [
      /^(?:resum(?:a|e|ir|am)|sintetize)(?<rest>$| .*)/iu,
      /^(?:resumo|síntese|visão geral|(?:pontos|ideias) (?:principais|chave|essenciais|mais importantes))(?<rest>$|,.*| (?:d[aeo]s?|sobre|em|por).*)/iu,
      /^(?:do|de) que (?:se )?(?:tratam?|falam?)(?<rest>.*)$/iu,
    ],
    ofAll:
      'este esta estes estas isto isso o a os as um uma de do da dos das sobre em no na tudo todo todos toda todas documento documentos arquivo arquivos ficheiro ficheiros fonte fontes caderno página páginas ' +
      'texto textos artigo artigos por favor me nos aqui frases frase palavras poucas duas três cinco',
  },
  {
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
  },
  {
    leads:
      'пожалуйста можешь можете мог могли бы ты вы мне нам дай дайте сделай сделайте напиши напишите покажи хочу нужно нужен нужна кратко коротко краткое краткий краткую общий каковы какие',
    requests: [
      /^(?:переска(?:жи|жите|зать)|суммируй(?:те)?|резюмируй(?:те)?|обобщи(?:те|ть)?|подытожь(?:те)?|изложи(?:те|ть)?)(?<rest>$| .*)/iu,
      /^(?:изложение|резюме|обзор|сводк[ау]|конспект|(?:основные|главные|ключевые) (?:моменты|мысли|пункты|идеи|положения|выводы))(?<rest>$| (?!стоит|стоят).*)/iu,
      /^(?:о ч[её]м|про что)(?= (?:эт|вс|здесь|говор|рассказыва|данн|документ|файл|текст))(?: говорится| говорит| рассказывает)?(?<rest>.*)$/iu,
    ],
    ofAll:
      'это этот эта эти этого этой этих этом все всё всех весь здесь тут в во о об из по документ документа документы документов документе файл файлы файла файлов файле источник источники источников блокнот ' +
      'страница страницу страницы текст тексты текста статья статью статьи кратко коротко пожалуйста мне нам нескольких двух трёх предложениях словах',
  },
  {
    leads: '请 帮我 给我 给 我 帮 能 可以 你 写 做 来 一个 一份 一下 简要 简单 简短 的 主要是',
    requests: [
      /^(?:总结|概括|归纳|概述)(?!的|是|由|写|在|会|要)(?<rest>.*)$/u,
      /^(?:摘要|概要|总结|概述|要点|主要内容|主要观点|重点)(?:是什么|有哪些|吧)?(?<rest>)$/u,
      /^(?<rest>.*?)(?:讲了什么|说了什么|讲的是什么|是关于什么的|主要讲什么)$/u,
      /^(?<rest>.*?)的(?:摘要|概要|要点|主要内容|主要观点|重点)(?:是什么|有哪些)?$/u,
    ],
    ofAll:
      '这个 这篇 这些 这份 这本 那个 那篇 那些 这 那 所有 全部 整个 文档 文件 文章 资料 来源 笔记本 内容 网页 一下 的 请 用 几句话 三句话 简单 都 主要',
    isUnspaced: true,
  },
  {
    leads: 'この これらの これ それらの 全体の 全体を',
    requests: [
      /^(?<rest>.*?)(?:を|の)?(?:要約|まとめ|サマリー)(?:して|をして|を作って|をお願い|を教えて|を見せて|してください|をください|してくれますか|できますか|て|てください)(?:ください|します|くれますか)?$/u,
      /^(?<rest>.*?)(?:の)?(?:要点|概要|ポイント)(?:は何ですか|は何|は|を教えて(?:ください)?)$/u,
      /^(?<rest>.*?)は何について(?:ですか|書かれていますか|の(?:文書|文章)ですか)?$/u,
    ],
    ofAll:
      'この これらの それらの これ すべての 全ての 全体の 全部の 文書 資料 ファイル 文章 ノートブック ページ 記事 テキスト を の は 簡単に 短く 三行で',
    isUnspaced: true,
  },
  {
    leads: 'lütfen bana bize kısa bir kısaca',
    requests: [
      /^(?<rest>.*?) ?(?:özetle|özetler misin|özetleyin|özetleyebilir misin|özetini (?:çıkar|ver|yaz))$/iu,
      /^(?:özet|genel bakış)(?<rest>) (?:ver|verir misin|yaz|yazar mısın|çıkar|çıkarır mısın)$/iu,
      /^(?<rest>.*?) ?(?:ana|önemli|temel) (?:noktaları?|fikirleri?|konuları?)(?: neler(?:dir)?| nedir)?$/iu,
      /^(?<rest>.+) ne hakkında$/iu,
    ],
    ofAll:
      'bu bunu bunları şu belge belgeyi belgeler belgeleri belgenin dosya dosyayı dosyaları kaynak kaynakları kaynağı not defteri defterini sayfa sayfayı metin metni makale makaleyi hepsini tümünü en kısaca lütfen bana bize',
  },
  {
    leads: 'من فضلك أرجوك هل يمكنك أعطني اعطني أعطنا اكتب قدم لي لنا ما هي هو',
    requests: [
      /^(?:لخص|لخّص|لخصي|لخصوا|تلخيص)(?<rest>$| .*)/u,
      /^(?:ملخصا?|ملخصًا|خلاصة|(?:النقاط|الأفكار) (?:الرئيسية|الأساسية|المهمة))(?<rest>$| .*)/u,
      /^عن (?:ماذا|ما|أي شيء) (?:تتحدث|يتحدث|تتكلم|يتكلم)(?<rest>.*)$/u,
    ],
    ofAll:
      'هذا هذه هذان هؤلاء ذلك تلك الوثيقة الوثائق الملف الملفات المستند المستندات المصدر المصادر الدفتر الصفحة النص النصوص المقال كل جميع من فضلك لي لنا في عن قصيرا موجزا قصير موجز',
  },
];

/**
 * Returns the subject of a summary request; undefined if the question isn't one. '' means everything. In a
 * conversation, "summarize that" is a follow-up.
 */
export function summaryRequestIn(question: string, isFollowing = false): SummaryRequest | undefined {
  const trimmed = question.trim();
  if (trimmed.length > MAX_REQUEST_LENGTH) return undefined;
  const request = requestIn(trimmed) ?? requestInOtherLanguages(trimmed);
  const leans = isFollowing && STANDS_FOR.test(question) && !NAMES_SOURCES.test(question);
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
  let left = text.trim();
  for (;;) {
    const last = Math.max(left.lastIndexOf(' '), left.lastIndexOf(',')) + 1;
    const edge = atEnd ? left.slice(last) : /^(?:[ldLD]['’]|[^ ,-]+)/u.exec(left)?.[0];
    const word = isUnspaced
      ? [...words].find((each) => (atEnd ? left.endsWith(each) : left.startsWith(each)))
      : words.has(edge?.toLowerCase().replace('’', "'") ?? '')
        ? edge
        : undefined;
    if (word === undefined) return left;
    left = (atEnd ? left.slice(0, -word.length) : left.slice(word.length)).replaceAll(/^[ ,-]+|[ ,]+$/g, '');
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
