import type { DocumentWords, LanguageRules } from './pack.ts';

export const CHINESE: LanguageRules = {
  name: 'chinese',
  code: 'zh',
  alphabet: '',
  followUps: {
    continuation:
      /^(?:那(?![个里些边])|还有|另外|但是|可是|所以|如果不|比如|例如|继续|为什么$|怎么$|什么时候$|在哪里$)|呢$/u,
    pointsBack:
      /它|其中|前者|后者|[这那]个(?!文|笔|资|目|网|页)|那些|这样|哪一?个(?=更|最|比较|好|便宜|快)|举个?例|别的|其他的?(?:办法|方法)/u,
    item: /第([一二三四五六七八九十]|\d{1,2})(?:[个项点条步]|种方法|种)(?=$|[是的怎如有会能和与需要，]|步骤|选项|方法|要)|(最后)[一]?[个项点条步]/u,
  },
  conjunctions: '和 与 及 或 以及 而 但',
  words: {
    questions: '',
    aspects: '',
    contrasts: '',
    connectors: '',
    reasons: '',
    additions: '',
    fillers: '',
    numbers: '一 二 三 四 五 六 七 八 九 十',
  },
  sections: {
    summaries: '摘要, 概要, 引言, 前言',
    overviews: '总结, 結論, 结论, 概述, 简介',
    keywords: '关键词, 關鍵詞',
  },
  definitions: {
    sentences: [
      '(?:所谓)?([^\\s，。；：、？！的这那此其他她它我你]{2,20}?)(?:，?是指|，?指的是|，?系指|指|是一种|是一類|是一类|是一個|被定义为)[^\\n]{4,600}$',
    ],
    references: '[这那此其他她它我你]',
    remarks: '注意|警告|示例|例',
    headings: '术语|定义',
  },
  summaryRequests: {
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
  noEvidence: {
    statements: [/(?:段落|来源|资料|文档|文件|材料|片段).{0,10}(?:没有|未|不包含|并未)/u],
    cells: '来源中没有; 来源未提及; 资料中没有; 未提及; 未说明; 未提供; 无',
  },
  codeWords: '函数|代码|代碼|方法',
};

export const CHINESE_DOCUMENT_WORDS: DocumentWords = {
  figures: {
    signs: '图圖',
    tableSigns: '表',
    unspacedPictures: '(?:插|此|该|該|示意|流程|结构|結構|[这哪這][张个幅張個])[图圖]|[图圖][表片像示]',
    sentences: '显示|展示|表示|给出|为|中|所示|是|描述|说明|可|列|反映|顯示|說明',
  },
};
