import type { DocumentWords, LanguageRules } from './pack.ts';

export const CHINESE: LanguageRules = {
  name: 'chinese',
  code: 'zh',
  followUps: {
    continuation:
      /^(?:那(?![个里些边])|还有|另外|但是|可是|所以|如果不|比如|例如|继续|为什么$|怎么$|什么时候$|在哪里$)|呢$/u,
    pointsBack:
      /它|其中|前者|后者|[这那]个(?!文|笔|资|目|网|页)|那些|这样|哪一?个(?=更|最|比较|好|便宜|快)|举个?例|别的|其他的?(?:办法|方法)/u,
    item: /第([一二三四五六七八九十]|\d{1,2})(?:[个项点条步]|种方法|种)(?=$|[是的怎如有会能和与需要，]|步骤|选项|方法|要)|(最后)[一]?[个项点条步]/u,
    ordinals: '一 二 三 四 五 六 七 八 九 十',
    last: '最后',
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
    contents: '目录',
    references: '参考文献',
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
    standsFor: /它|这个$/u,
  },
  noEvidence: {
    statements: [/(?:段落|来源|资料|文档|文件|材料|片段).{0,10}(?:没有|未|不包含|并未)/u],
    cells: '来源中没有; 来源未提及; 资料中没有; 未提及; 未说明; 未提供; 无',
    turns: '但|不过|然而|只',
  },
  codeWords: '函数|代码|代碼|方法',
  modelTalk: {
    agrees: '(?:当然|好的)[，！。]',
    presents: '以下是|下面是',
    speaks:
      /^(?:作为(?:一个|一名)?(?:AI|人工智能|语言模型|助手)|我(?:会|将|来|可以|已经|希望)|希望(?:这|以上))/iu,
    agreements: '当然|好的',
    pointers: '另见|参见',
  },
  injections: {
    address: /(?:忽略|无视|忘记)[^。\n]{0,10}(?:指令|指示|说明|规则|提示)/u,
    addressed: /(?:回答|回复|写道?|输出|说)[^。\n]{0,6}(?:[：:“「"]|以下|这句|这样)/u,
    plain: /(?<=^|[。！？\n]\s{0,3})(?:请|只)?(?:用这句话|仅用以下|只用以下)[^。\n]{0,6}(?:回答|回复)/u,
  },
  enumerations: {
    leads: '包括|包含|分为|分成|支持|提供|例如|比如|即',
    joins: '以及|和|与|及|或',
    isUnspaced: true,
  },
  negations: { unspaced: /(?:不(?![仅只但过同少断论])|没有?|未(?!来)|无(?!论))(\p{sc=Han}{1,4})/gu },
  formats: {
    tables: '表格|(?:用|以|成|个|張|张)表(?!\\p{L}{0,2}[示明达達])',
    lists: '列表|清单|清單|列出|列举',
  },
  yesOrNo: '是|否',
  choices: { called: '', unspaced: '答案(?:是|为|為)?' },
  tables: { captions: '表' },
};

export const CHINESE_DOCUMENT_WORDS: DocumentWords = {
  figures: {
    signs: '图圖',
    tableSigns: '表',
    unspacedPictures: '(?:插|此|该|該|示意|流程|结构|結構|[这哪這][张个幅張個])[图圖]|[图圖][表片像示]',
    sentences: '显示|展示|表示|给出|为|中|所示|是|描述|说明|可|列|反映|顯示|說明',
  },
};
