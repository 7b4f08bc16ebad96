/** How sentences begin in which a model speaks of itself, of its task or of what it hands over, and of no source. */
const SELF_TALK = [
  // English
  /^(?:as an? (?:ai|language model|assistant)\b|(?:i|we)(?:['’](?:ll|ve|m|d|re))?\s|let me\b|let['’]s\b|sure\b|certainly\b|of course\b|(?:i )?hope this\b|feel free\b|please (?:let|note that i)\b|based on (?:the|my) (?:search|tool|task|instructions?)\b|the (?:user|task|step) (?:asks|wants|asked|requires)\b|here(?:['’]s| is| are)\b[^.]{0,120}[:.]$|below (?:is|are)\b[^.]{0,120}[:.]$)/i,
  // German, Dutch
  /^(?:als (?:ki|sprachmodell|assistent|ai|taalmodel)(?!\p{L})|ich (?:habe|werde|kann|hoffe|bin|möchte)(?!\p{L})|gerne?[,!.]|natürlich[,!.]|selbstverständlich[,!.]|ik (?:heb|zal|kan|hoop|ben)(?!\p{L})|natuurlijk[,!.]|(?:hier (?:ist|sind|is|zijn|volgt)|im folgenden|hieronder)(?!\p{L})[^.]{0,120}:$)/iu,
  // French
  /^(?:en tant qu['’](?:ia|assistante?|intelligence)(?!\p{L})|je (?:vais|peux|suis|n['’]ai|me)(?!\p{L})|j['’](?:ai|espère)(?!\p{L})|bien sûr[,!.]|certainement[,!.]|n['’]hésitez pas(?!\p{L})|(?:voici|ci-dessous)(?!\p{L})[^.]{0,120}:$)/iu,
  // Spanish, Portuguese, Italian
  /^(?:como (?:ia|(?:un )?modelo de (?:lenguaje|linguagem)|um modelo de linguagem|asistente|assistente)(?!\p{L})|(?:yo )?(?:espero que esto|he (?:encontrado|buscado))(?!\p{L})|(?:claro|por supuesto|claro que sim|certo|certamente)[,!.]|(?:eu )?(?:espero que isto|espero que isso|encontrei|pesquisei)(?!\p{L})|come (?:ia|modello linguistico|assistente)(?!\p{L})|(?:io )?(?:spero che questo|ho (?:trovato|cercato))(?!\p{L})|(?:aquí (?:está|tiene|tienes)|a continuación|aqui (?:está|estão)|a seguir|ecco|di seguito)(?!\p{L})[^.]{0,120}:$)/iu,
  // Russian
  /^(?:как (?:ии|языковая модель|ассистент)(?!\p{L})|я (?:могу|нашел|нашёл|надеюсь|постараюсь|буду)(?!\p{L})|конечно[,!.]|надеюсь(?!\p{L})|(?:вот|ниже)(?!\p{L})[^.]{0,120}:$)/iu,
  // Chinese, Japanese
  /^(?:作为(?:一个|一名)?(?:AI|人工智能|语言模型|助手)|我(?:会|将|来|可以|已经|希望)|当然[，！。]|好的[，！。]|希望(?:这|以上)|(?:以下是|下面是)[^。]{0,120}[：:]$|(?:AI|言語モデル|アシスタント)として|もちろん(?:です)?[、！。]|承知(?:しました|いたしました)|私(?:は|が)(?:検索|調べ)|以下(?:は|に|が)[^。]{0,120}[：:]$)/iu,
];

/**
 * Whether a sentence says something of the model that wrote it, in the languages of most models' answers: `I have searched
 * the notebook.`, `Als Sprachmodell kann ich das nicht.`, `当然，`. It tells so of sentences that claim nothing of a source,
 * as `We measured 12 m.` in a paper's own words begins likewise.
 */
export function isSelfTalk(sentence: string): boolean {
  const words = sentence.trim();
  return SELF_TALK.some((pattern) => pattern.test(words));
}
