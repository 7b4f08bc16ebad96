/** Facts about a page besides its text, which help to classify it. */
export interface PageFacts {
  readonly url: string;
  readonly title: string;
  /** Value of `og:type`. */
  readonly openGraphType: string;
  /** JSON-LD as in the page. */
  readonly linkedData: readonly string[];
}

const IN_ADDRESS: readonly RegExp[] = [
  /\/(?:docs?|documentation|guide|manual|reference|handbook|tutorial|api|learn|help|wiki|usersguide)(?:\/|$)|^https?:\/\/(?:docs?|developers?|wiki|learn|help)\./,
  /\/(?:threads?|topics?|t|forums?|questions?|discussion|viewtopic|showthread|comments|board|community)(?:[/.?-]|$)|^https?:\/\/(?:forums?|community|discuss(?:ion)?|answers|bbs)\./,
  /\/(?:products?|p|item|itm|dp|listing|app|shop\/.+|store\/.+)\//,
  /\/(?:collections?|category|product-category|c|browse|shop|store|tags?|topics?|search|list)(?:\/|$)/,
  /\/(?:blog|news|articles?|posts?|stories|story|20\d\d)(?:\/|$)/,
  /^https?:\/\/[^/]+\/?(?:[?#]|$)/,
  /\/(?:services?|products?|solutions|features?|pricing|platform)(?:\/|$)/,
  /\.html?(?:[?#]|$)/,
];

const DATA_TYPES: readonly RegExp[] = [
  /^Product(?:Group)?$/,
  /^(?:News|Blog|Tech|Scholarly)?(?:Article|Posting)$/,
  /^(?:QAPage|Question|DiscussionForumPosting)$/,
  /^(?:ItemList|CollectionPage)$/,
  /^(?:WebPage|WebSite)$/,
  /^(?:Organization|LocalBusiness|Service|SoftwareApplication)$/,
  /^BreadcrumbList$/,
  /^FAQPage$/,
];

/** Names of the facts, in the order of `factsAsNumbers`. */
export const FACT_NAMES: readonly string[] = [
  ...IN_ADDRESS.map(String),
  'segments of the path',
  ...DATA_TYPES.map(String),
  ...['Open Graph article', 'Open Graph product', 'Open Graph website'],
];

/** Returns one number for each fact. */
export function factsAsNumbers({ url, openGraphType, linkedData }: PageFacts): number[] {
  const types = new Set(
    linkedData.flatMap((data) =>
      [...data.slice(0, 200_000).matchAll(/"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)"/g)].map(
        ([, type = '']) => type,
      ),
    ),
  );
  return [
    ...IN_ADDRESS.map((pattern) => Number(pattern.test(url))),
    (URL.parse(url)?.pathname ?? '').split('/').filter((part) => part !== '').length,
    ...DATA_TYPES.map((pattern) => Number([...types].some((type) => pattern.test(type)))),
    Number(openGraphType.includes('article')),
    Number(openGraphType.includes('product')),
    Number(openGraphType.includes('website')),
  ];
}
