import type { DocumentWords, LanguageRules } from './pack.ts';

export const JAPANESE: LanguageRules = {
  name: 'japanese',
  code: 'ja',
  alphabet: '',
  followUps: {
    continuation:
      /^(?:では|じゃあ|それで|でも|他に|ほかに|もっと|続けて|例えば|(?:なぜ|どうして|いつ|どこ)(?:ですか)?$)|(?<=^.{1,8})は$/u,
    pointsBack:
      /^(?:それ|あれ|そこ|その|どちら|これ(?!らの(?:文書|資料|ファイル|ノート)))|前者|後者|例を|例は|他には|ほかには/u,
    item: /([一二三四五六七八九]|\d)(?:つ目|番目)|(最初|最後)の(?:もの|方法|手順|項目|点|選択肢)/u,
  },
  conjunctions: 'と や か',
  sections: {
    summaries: '要約, はじめに',
    overviews: 'まとめ',
    keywords: 'キーワード',
  },
  definitions: {
    sentences: ['([^\\s、。，？！]{2,30}?)とは、?[^\\n]{4,600}$'],
    references: 'これ|それ|あれ|彼|私',
    remarks: '注意|警告|例',
    headings: '用語',
  },
  summaryRequests: {
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
  noEvidence: {
    statements: [],
    cells: '無記載; 記載なし; 情報源にない; 出典に記載なし',
  },
  codeWords: '関数|コード|メソッド|クラス|方法',
};

export const JAPANESE_DOCUMENT_WORDS: DocumentWords = {
  figures: { signs: '図', tableSigns: '表', unspacedPictures: '(?:この|その)図' },
};
