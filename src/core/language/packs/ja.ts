import type { DocumentWords, LanguageRules } from './pack.ts';

export const JAPANESE: LanguageRules = {
  name: 'japanese',
  code: 'ja',
  followUps: {
    continuation:
      /^(?:では|じゃあ|それで|でも|他に|ほかに|もっと|続けて|例えば|(?:なぜ|どうして|いつ|どこ)(?:ですか)?$)|(?<=^.{1,8})は$/u,
    pointsBack:
      /^(?:それ|あれ|そこ|その|どちら|これ(?!らの(?:文書|資料|ファイル|ノート)))|前者|後者|例を|例は|他には|ほかには/u,
    item: /([一二三四五六七八九]|\d)(?:つ目|番目)|(最初|最後)の(?:もの|方法|手順|項目|点|選択肢)/u,
    ordinals: '一|最初 二 三 四 五 六 七 八 九',
    last: '最後',
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
    standsFor: /それ/u,
  },
  noEvidence: {
    statements: [],
    cells: '無記載; 記載なし; 情報源にない; 出典に記載なし',
  },
  codeWords: '関数|コード|メソッド|クラス|方法',
  modelTalk: {
    agrees: '(?:もちろん(?:です)?|承知(?:しました|いたしました))[、！。]',
    presents: '以下(?=[はにが])',
    speaks: /^(?:(?:AI|言語モデル|アシスタント)として|私(?:は|が)(?:検索|調べ))/iu,
  },
  injections: {
    address: /(?:指示|命令|ルール|プロンプト)[^。\n]{0,6}無視/u,
    addressed:
      /回答[^。\n]{0,6}(?:[：:“「"]|以下)|(?:と|だけ|のみ)[^。\n]{0,6}(?:答え|書い|返答|回答|出力)|(?:次|以下)の(?:文|言葉)[^。\n]{0,8}(?:答え|書い|返答|回答|出力)/u,
    plain: /(?<=^|[。！？\n]\s{0,3})次の(?:文|言葉)(?:だけ|のみ)?(?:で|を)(?:答え|返答|回答)/u,
  },
  enumerations: { leads: '', joins: 'または|および', isUnspaced: true },
  formats: {
    tables: '一覧表|表形式|表(?:に(?!\\p{L}{0,4}(?:示|ある|よる))|として)',
    lists: 'リスト|箇条書き|一覧(?!表)',
  },
  choices: { called: '', unspaced: '答えは?|正解は?' },
  tables: { captions: '表' },
};

export const JAPANESE_DOCUMENT_WORDS: DocumentWords = {
  figures: { signs: '図', tableSigns: '表', unspacedPictures: '(?:この|その)図' },
};
