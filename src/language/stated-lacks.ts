import { TURNING_WORDS } from './words/word-lists.ts';

/** What says that the sources lack something, in the languages of most models' answers. */
const LACKS = [
  /\b(?:the|this|these|those|your|any)\s+(?:\p{L}{1,40}\s+){0,2}(?:notebook|passages?|sources?|documents?|documentation|context|excerpts?|text)\b.{0,30}\b(?:not|no|nothing|cannot|\p{L}{1,20}n['’]t)\b.{0,30}\b(?:say|says|mention|state|contain|cover|include|provide|specify|tell|describe|give|answer|discuss|address|explain|indicate|information|details?|about)\b/iu,
  /\b(?:nothing|not|no)\b.{0,30}\b(?:in|from) (?:the|this|these|your) (?:notebook|passages?|sources?|documents?)\b/iu,
  /\b(?:Passagen?|Quellen?|Dokumente?|Textstellen?|Auszüge)\b.{0,30}(?<!\p{L})(?:nicht|nichts|keine?[nrms]?)(?!\p{L})/iu,
  /(?<!\p{L})(?:passages?|sources?|documents?|extraits?)(?!\p{L}).{0,20}(?<!\p{L})(?:ne|n['’])\s?\p{L}.{0,30}(?<!\p{L})(?:pas|rien|aucune?)(?!\p{L})/iu,
  /(?<!\p{L})no\s.{0,30}(?<!\p{L})(?:pasajes?|fuentes?|documentos?|fragmentos?)(?!\p{L})|(?<!\p{L})(?:pasajes|fuentes|documentos|fragmentos)\s+no\s/iu,
  /(?<!\p{L})(?:passaggi|fonti|documenti|brani|estratti)\s+non\s/iu,
  /(?<!\p{L})(?:отрывк|источник|документ|фрагмент)\p{L}*\s.{0,20}(?<!\p{L})не\s/iu,
  /(?:段落|来源|资料|文档|文件|材料|片段).{0,10}(?:没有|未|不包含|并未)/u,
];
/** Where another statement begins within a sentence. */
const TURN = new RegExp(
  `[;；]\\s*|[,，]\\s*(?=(?:${[...TURNING_WORDS, 'yet', 'only'].join('|')})(?!\\p{L}))|[,，]\\s*(?=但|不过|然而|只)|\\s[–—]\\s`,
  'iu',
);

/**
 * A sentence without the statements that tell what the sources lack, which no source can bear out; blanks stand in
 * their place, so that offsets stay the same.
 */
export function withoutLacks(sentence: string): string {
  if (!LACKS.some((pattern) => pattern.test(sentence))) return sentence;
  let rest = sentence;
  let stated = '';
  while (rest !== '') {
    const turn = TURN.exec(rest);
    const end = turn === null ? rest.length : turn.index + turn[0].length;
    const part = rest.slice(0, end);
    stated += LACKS.some((pattern) => pattern.test(part)) ? ' '.repeat(end) : part;
    rest = rest.slice(end);
  }
  return stated;
}
