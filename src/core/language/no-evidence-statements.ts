import { cellSpans, isTableRow } from './markdown-lines.ts';
import { wordsInRole } from './words/role-words.ts';

/** Phrases that say that the sources lack something, in the usual languages of answers. */
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
/** The agreed text for a table cell that the sources don't answer. */
export const NOT_IN_SOURCES = 'not in the sources';

/** Complete cells or entries with the same meaning, in the usual languages of answers. */
const SHORT_LACKS = new Set(
  [
    NOT_IN_SOURCES,
    'not told; not stated; not stated in this source; not given; not mentioned; not specified; not reported; not found; not said; not covered; not described; not discussed; not indicated; not provided; not available; not addressed; not in source; not in this source; not in the source; no information; no data; none stated; none given; n/a; unknown; unspecified; silent',
    'nicht in den quellen; nicht in der quelle; nicht angegeben; nicht genannt; nicht erwähnt; keine angabe; keine angaben; k. a; k.a',
    'niet in de bronnen; niet vermeld; niet genoemd; niet aangegeven; geen gegevens',
    'pas dans les sources; absent des sources; non indiqué; non précisé; non mentionné; non spécifié; non renseigné',
    'no está en las fuentes; no figura en las fuentes; no indicado; no mencionado; no especificado; no consta; sin datos',
    'não está nas fontes; não consta nas fontes; não indicado; não mencionado; não especificado; não consta; sem dados',
    'non nelle fonti; non è nelle fonti; non indicato; non menzionato; non specificato; non riportato',
    'нет в источниках; не указано; не упомянуто; не упоминается; нет данных',
    '来源中没有; 来源未提及; 资料中没有; 未提及; 未说明; 未提供; 无; 無記載; 記載なし; 情報源にない; 出典に記載なし; 자료에 없음; 언급 없음',
  ].flatMap((row) => row.split('; ')),
);
const AROUND_LACK = /^[\s*_(["“‘「（—–-]+|[\s*_)\]"”’」）.。!—–-]+$/gu;

/** Start of another statement within a sentence. */
const TURN = new RegExp(
  `[;；]\\s*|[,，]\\s*(?=(?:${[...wordsInRole('contrasts'), 'yet', 'only'].join('|')})(?!\\p{L}))|[,，]\\s*(?=但|不过|然而|只)|\\s[–—]\\s`,
  'iu',
);

/**
 * Blanks out the statements of a sentence that say what the sources lack, because no source can support them. Offsets
 * stay the same.
 */
export function stripNoEvidenceStatements(sentence: string): string {
  if (SHORT_LACKS.has(sentence.toLowerCase().replaceAll(AROUND_LACK, ''))) return ' '.repeat(sentence.length);
  if (isTableRow(sentence)) return stripNoEvidenceCells(sentence);
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

function stripNoEvidenceCells(row: string): string {
  let stated = row;
  for (const { start, end } of cellSpans(row))
    stated = stated.slice(0, start) + stripNoEvidenceStatements(row.slice(start, end)) + stated.slice(end);
  return stated;
}
