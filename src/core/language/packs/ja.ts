import type { DocumentWords, LanguageRules } from './pack.ts';

export const japanese: LanguageRules = {
  name: 'japanese',
  code: 'ja',
  alphabet: '',
  negations: undefined,
  followUps: {
    continuation:
      /^(?:では|じゃあ|それで|でも|他に|ほかに|もっと|続けて|例えば|(?:なぜ|どうして|いつ|どこ)(?:ですか)?$)|(?<=^.{1,8})は$/u,
    pointsBack:
      /^(?:それ|あれ|そこ|その|どちら|これ(?!らの(?:文書|資料|ファイル|ノート)))|前者|後者|例を|例は|他には|ほかには/u,
    item: /([一二三四五六七八九]|\d)(?:つ目|番目)|(最初|最後)の(?:もの|方法|手順|項目|点|選択肢)/u,
  },
  enumerations: undefined,
  determiners: '',
  conjunctions: 'と や か',
  backReferences: '',
  words: undefined,
  sections: {
    summaries: '要約, はじめに',
    overviews: 'まとめ',
    keywords: 'キーワード',
  },
  dates: undefined,
  definitions: {
    sentences: ['([^\\s、。，？！]{2,30}?)とは、?[^\\n]{4,600}$'],
    references: 'これ|それ|あれ|彼|私',
    remarks: '注意|警告|例',
    headings: '用語',
  },
  units: undefined,
};

export const JAPANESE_DOCUMENT_WORDS: DocumentWords = {
  figures: { signs: '図', tableSigns: '表', unspacedPictures: '(?:この|その)図' },
};
