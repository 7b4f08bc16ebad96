/** Agreement at the start of a reply: `Sure! Here you are`, `Natürlich,`, `好的，`. */
const AGREES =
  /^(?:(?:sure|certainly|of course|okay|ok)\b|(?:gerne?|natürlich|selbstverständlich|natuurlijk|bien sûr|certainement|claro|por supuesto|claro que sim|certo|certamente|конечно)[,!.]|(?:当然|好的)[，！。]|(?:もちろん(?:です)?|承知(?:しました|いたしました))[、！。])/iu;

/** Introduction of the result with a colon: `Here is the table:`, `Voici le tableau :`, `以下是结果：`. */
const PRESENTS =
  /^(?:here(?:['’]s| is| are)|below (?:is|are)|i have|i['’]ve|hier (?:ist|sind|is|zijn|volgt)|im folgenden|hieronder|voici|ci-dessous|aquí (?:está|tiene|tienes)|a continuación|aqui (?:está|estão)|a seguir|ecco|di seguito|вот|ниже|(?:以下是|下面是|以下(?=[はにが])))(?![\p{Script=Latin}\p{Script=Cyrillic}])[^\n]{0,200}[:：]$/iu;

/** Beginnings of sentences in which a model talks about itself or its task; rare elsewhere. */
const SPEAKS = [
  // English
  /^(?:as an? (?:ai|language model|assistant)\b|i (?:can|could|do|am|have|was|would|need|don['’]t|can['’]t))/i,
  // German, Dutch
  /^(?:als (?:ki|sprachmodell|assistent|ai|taalmodel)|ich (?:habe|werde|kann|hoffe|bin|möchte)|ik (?:heb|zal|kan|hoop|ben))(?!\p{L})/iu,
  // French
  /^(?:en tant qu['’](?:ia|assistante?|intelligence)|je (?:vais|peux|suis|n['’]ai|me)|j['’](?:ai|espère)|n['’]hésitez pas)(?!\p{L})/iu,
  // Spanish, Portuguese, Italian
  /^(?:como (?:ia|(?:un )?modelo de (?:lenguaje|linguagem)|um modelo de linguagem|asistente|assistente)|(?:yo )?(?:espero que esto|he (?:encontrado|buscado))|(?:eu )?(?:espero que isto|espero que isso|encontrei|pesquisei)|come (?:ia|modello linguistico|assistente)|(?:io )?(?:spero che questo|ho (?:trovato|cercato)))(?!\p{L})/iu,
  // Russian
  /^(?:как (?:ии|языковая модель|ассистент)|я (?:могу|нашел|нашёл|надеюсь|постараюсь|буду)|надеюсь)(?!\p{L})/iu,
  // Chinese, Japanese
  /^(?:作为(?:一个|一名)?(?:AI|人工智能|语言模型|助手)|我(?:会|将|来|可以|已经|希望)|希望(?:这|以上)|(?:AI|言語モデル|アシスタント)として|私(?:は|が)(?:検索|調べ))/iu,
];

/** Short sentences that are for the reader alone: `Let me see.`, `Sorry, no.` */
const SHORT_TALK = /^(?:Let me|Please|Sorry|Sure|Hello|Hi|Thanks?)\b[^.]{0,40}[.!,:]?$/i;
/** Sentences that only agree, unless they cite a source: `Of course.`, `Natürlich!` */
const AGREEMENT =
  /^(?:of course|certainly|absolutely|exactly|okay|ok|(?:good|great) question|gerne?|natürlich|natuurlijk|bien sûr|claro|certo|конечно|当然|好的)[.!。！]?$/iu;
/** Sentences that only point elsewhere, unless they cite a source: `See also.`, `Siehe oben.` */
const POINTER =
  /^(?:see (?:also|above|below)|siehe (?:auch|oben|unten)|zie ook|voir aussi|véase también|veja também|vedi anche|см\. также|另见|参见)[.!。！:]?$/iu;
/** Short sentences that are for the reader unless they cite a source: `We agree.` */
const SHORT_REPLY = /^(?:I|I['’]m|I['’]d|We)\b[^.]{0,40}[.!,:]?$/i;

/**
 * Beginnings of sentences to the reader or about the task, if they make no statement: `Of the sources we found two.`
 */
const LOOSE =
  /^(?:(?:i|we)(?:['’](?:ll|ve|m|d|re))?\s|let me\b|let['’]s\b|(?:i )?hope this\b|feel free\b|please (?:let|note that i)\b|based on (?:the|my) (?:search|tool|task|instructions?)\b|the (?:user|task|step) (?:asks|wants|asked|requires)\b|(?:here(?:['’]s| is| are)|below (?:is|are))\b[^.]{0,120}\.$)/i;

/** Transitions and closings without content. */
const TRANSITION =
  /^(?:(?:I )?hope (?:this|that)|feel free|let me know|if you (?:have|need|want|would like)\b.*\b(?:questions?|help|ask|know)|in (?:summary|short|conclusion)|to (?:summari[sz]e|sum up)|here(?:['’]s| is| are) (?:how|what|why|the|an?|some|more|my)\b(?!.*\d)|(?:below|the following) (?:is|are)|as (?:follows|below))\b/i;

/** Labels that some models write above a result. */
const LABEL = /^(?:final answer|product|done)\s{0,20}:?$/i;

/** Maximum length of an introductory line, in UTF-16 code units. A longer one has content. */
const MAX_LEAD_LENGTH = 200;

/** Reports whether a sentence is about the model or only for the reader, whatever else it says. */
export function isModelBoilerplate(sentence: string, isCited = false): boolean {
  const words = sentence.trim();
  if (!isCited && [SHORT_REPLY, AGREEMENT, POINTER].some((pattern) => pattern.test(words))) return true;
  return SHORT_TALK.test(words) || SPEAKS.some((pattern) => pattern.test(words));
}

/**
 * Reports whether a sentence is a transition or closing, such as `In summary, both work.` A long one counts only with
 * little content.
 */
export function isTransition(sentence: string): boolean {
  return TRANSITION.test(sentence.trim());
}

/**
 * Reports whether a sentence is about the model that wrote it, in the usual languages of answers: `I have searched the
 * notebook.`, `Als Sprachmodell kann ich das nicht.`, `当然，`. Use it only for sentences that make no statement about a
 * source, because `We measured 12 m.` in a paper begins alike.
 */
export function isSelfTalk(sentence: string): boolean {
  const words = sentence.trim();
  return [...SPEAKS, AGREES, PRESENTS, LOOSE].some((pattern) => pattern.test(words));
}

/** Returns a reply without a first line that only introduces the result, such as `Sure! Here is the table:`. */
export function withoutLead(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const words = line.trim();
  const isLead =
    LABEL.test(words) ||
    PRESENTS.test(words) ||
    (words.length <= MAX_LEAD_LENGTH && !words.includes('[') && AGREES.test(words));
  return isLead ? text.slice(line.length).trimStart() : text;
}
