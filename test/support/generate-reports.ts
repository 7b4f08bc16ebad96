// Generates annual reports of fictional companies in a realistic layout, and questions whose page and row are known.
import { seededRandom } from './durability-random.ts';
import { tinyPdf, type TinyLine } from './tiny-pdf.ts';

/** Question about a report, and the location of its answer. */
export interface ReportQuestion {
  readonly kind: 'row' | 'other words' | 'of several rows' | 'segment' | 'prose';
  readonly question: string;
  /** Pages that answer it, zero-based. */
  readonly pages: readonly number[];
  /** Name and numbers of the row that answers it; undefined if several do. */
  readonly row: readonly string[] | undefined;
}

interface GeneratedReport {
  /** Company, year, and kind of the report, as in a file name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly questions: readonly ReportQuestion[];
}

/** Widths of Helvetica's characters in thousandths of the size, for right-aligned text. */
const WIDTHS: Readonly<Record<string, number>> = {
  ',': 278,
  '.': 278,
  '(': 333,
  ')': 333,
  ' ': 278,
  '%': 889,
};
const PAGE = { left: 54, right: 558, top: 740, bottom: 60 };
const COMPANIES = [
  'Aldervane Industries', 'Brightmoor Foods', 'Calder & Finch', 'Dunmore Energy', 'Everhart Packaging', 'Falconridge Stores',
  'Greywater Chemical', 'Halloran Software', 'Ironbark Mining', 'Juniper Airlines', 'Kestrel Semiconductor', 'Larkspur Health',
  'Meridian Toys', 'Northgate Logistics', 'Oakhurst Beverages', 'Pinnacle Medical', 'Quarrystone Cement', 'Redfern Media',
]; // oxfmt-ignore
const SEGMENTS = ['Consumer', 'Industrial', 'Health Care', 'Transportation', 'Safety', 'Display', 'Flexibles', 'Services', 'Retail', 'Digital']; // oxfmt-ignore

/** Captions and rows of further tables with the same words, as in discussions and notes. */
const FURTHER: readonly (readonly [caption: string, rows: readonly string[]])[] = [
  ['Selected financial data', ['Net sales growth', 'Return on invested capital', 'Dividends declared per share', 'Capital spending as a share of sales', 'Employees']],
  ['Free cash flow', ['Free cash flow', 'Free cash flow conversion', 'Change in working capital', 'Taxes paid on divestitures']],
  ['Organic sales change', ['Volume', 'Price', 'Acquisitions', 'Translation', 'Total sales change']],
  ['Net sales by region', ['Americas', 'Europe, Middle East and Africa', 'Asia Pacific', 'Worldwide']],
  ['Working capital days', ['Days of receivables', 'Days of inventories', 'Days of payables', 'Cash cycle']],
  ['Income tax expense', ['Current federal', 'Current state', 'Current foreign', 'Deferred', 'Effective rate']],
  ['Reconciliation of the tax rate', ['Statutory rate', 'State taxes, net', 'Foreign operations', 'Research credits', 'Rate as reported']],
  ['Components of inventories', ['Finished goods', 'Work in process', 'Raw materials and supplies', 'Reserve for obsolescence']],
  ['Allowance for doubtful receivables', ['Balance at beginning of year', 'Charged to expense', 'Receivables written off', 'Balance at end of year']],
  ['Goodwill activity', ['Balance at January 1', 'Acquired', 'Impaired', 'Translation of currencies']],
  ['Intangible assets by class', ['Customer relationships', 'Patents and technology', 'Trade names', 'Accumulated amortization']],
  ['Debt outstanding', ['Commercial paper', 'Notes due within five years', 'Notes due later', 'Current portion of debt']],
  ['Lease cost', ['Operating lease cost', 'Finance lease amortization', 'Variable cost', 'Sublease income']],
  ['Net periodic pension cost', ['Service cost', 'Interest cost', 'Expected return on assets', 'Amortization of net loss']],
  ['Stock-based compensation', ['Stock options', 'Restricted stock units', 'Tax benefit', 'Cost not yet recognized']],
  ['Purchases of shares by month', ['October', 'November', 'December', 'Shares that may yet be purchased']],
  ['Weighted average shares', ['Basic shares', 'Dilutive options', 'Diluted shares', 'Antidilutive options']],
  ['Accrued liabilities', ['Accrued rebates', 'Accrued interest', 'Product warranty', 'Deferred revenue']],
  ['Restructuring reserve', ['Severance', 'Asset charges', 'Cash payments', 'Reserve at end of year']],
  ['Depreciation by function', ['Cost of sales', 'Selling expenses', 'Research', 'Administration']],
  ['Quarterly results', ['First quarter sales', 'Second quarter sales', 'Third quarter sales', 'Fourth quarter sales']],
  ['Fair value of marketable securities', ['Corporate bonds', 'Government bonds', 'Certificates of deposit', 'Fair value in all']],
]; // oxfmt-ignore

/** Facts that occur once and in no table, each with a question about it. */
const EVENTS: readonly (readonly [told: string, asked: string])[] = [
  ['In {y}, {n} closed its plant in Marlow County because the lease of the site ended, which lowered net sales there.', 'Why did {n} close its plant in Marlow County in {y}?'],
  ['A fire in the warehouse at Port Selden destroyed inventories in {y}; the insurer paid most of the loss.', 'What happened to the inventories of {n} at Port Selden in {y}?'],
  ['The board appointed Dana Whitlock as chief financial officer in {y}, after the former officer retired.', 'Who became chief financial officer of {n} in {y}?'],
  ['In {y}, a court in Delaware dismissed the suit about share repurchases that two holders had brought.', 'How did the suit about share repurchases of {n} end in {y}?'],
  ['The increase of operating income in {y} was mostly due to the contract with the city of Harlan.', "What drove the operating income of {n} in {y}?"],
  ['In {y} the lenders agreed to waive the covenant on total debt until the refinery was sold.', 'Which covenant did the lenders of {n} waive in {y}?'],
]; // oxfmt-ignore

type Random = () => number;

function pickOne<T>(random: Random, all: readonly T[]): T {
  const item = all[Math.floor(random() * all.length)];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
}

function textWidth(text: string, size: number): number {
  let width = 0;
  for (const sign of text) width += WIDTHS[sign] ?? 556;
  return (width * size) / 1000;
}

/** Layout of a report. */
interface Look {
  readonly size: number;
  readonly caption: 'large' | 'bold' | 'centred' | 'plain';
  readonly unit: string;
  readonly header: 'over years' | 'years' | 'dates';
  readonly dollar: 'apart' | 'attached' | 'none';
  readonly dots: boolean;
  readonly isAscending: boolean;
  readonly repeatsHeader: boolean;
  readonly names: number;
}

/** Row of a statement: its name, and a number for each year, newest first. A row without numbers is a subheading. */
interface StatementRow {
  readonly name: string;
  readonly values: readonly number[];
  readonly isTotal?: boolean;
}

interface Statement {
  readonly caption: string;
  readonly over: string;
  readonly rows: readonly StatementRow[];
}

/** A report that is being set. */
class Pages {
  readonly #pages: TinyLine[][] = [];
  readonly look: Look;
  readonly #running: string;
  #y = 0;

  /** Takes the line at the top of every page but the first as `running`. */
  constructor(look: Look, running: string) {
    this.look = look;
    this.#running = running;
  }

  get pages(): { readonly lines: readonly TinyLine[] }[] {
    return this.#pages.map((lines) => ({ lines }));
  }

  /** Index of the current page, zero-based. */
  get page(): number {
    return this.#pages.length - 1;
  }

  newPage(): void {
    this.#pages.push([]);
    this.#y = PAGE.top;
    if (this.page === 0) return;
    this.#pages
      .at(-1)
      ?.push(
        { x: PAGE.left, y: 770, text: this.#running, size: 8 },
        { x: 300, y: 30, text: String(this.page + 1), size: 8 },
      );
  }

  get room(): number {
    return this.#y - PAGE.bottom;
  }

  put(x: number, text: string, size = this.look.size, bold = false): void {
    this.#pages.at(-1)?.push({ x, y: this.#y, text, size, bold });
  }

  down(points: number): void {
    this.#y -= points;
    if (this.#y < PAGE.bottom) this.newPage();
  }

  heading(text: string, size = 13): void {
    if (this.room < 80) this.newPage();
    this.down(8);
    this.put(PAGE.left, text, size, true);
    this.down(size + 8);
  }

  paragraph(text: string): void {
    let line = '';
    for (const word of text.split(' ')) {
      if (line.length + word.length > 98 * (10 / this.look.size)) {
        this.put(PAGE.left, line);
        this.down(1.25 * this.look.size);
        line = '';
      }
      line += (line === '' ? '' : ' ') + word;
    }
    this.put(PAGE.left, line);
    this.down(2.1 * this.look.size);
  }

  /** Sets a statement and returns the page of each row. */
  statement(
    { caption, over, rows }: Statement,
    years: readonly number[],
    unit = this.look.unit,
  ): Map<string, number> {
    const { look } = this;
    const shown = look.isAscending ? years.toReversed() : years;
    const columns = shown.map((_, index) => PAGE.right - 78 * (shown.length - 1 - index));
    const placed = new Map<string, number>();
    this.#caption(caption, unit);
    this.#header(over, shown, columns);
    for (const row of rows) {
      if (this.room < 1.5 * look.size) {
        this.newPage();
        if (look.repeatsHeader) {
          this.#caption(`${caption} (continued)`, unit);
          this.#header(over, shown, columns);
        }
      }
      const values = look.isAscending ? row.values.toReversed() : row.values;
      const indent = row.values.length === 0 || row.isTotal === true ? 0 : 10;
      const name = row.name;
      const dots =
        look.dots && values.length > 0
          ? ' ' + '.'.repeat(Math.max(6, 70 - name.length - 18 * (shown.length - 2)))
          : '';
      this.put(PAGE.left + indent, name + dots);
      for (const [index, value] of values.entries()) {
        const text = formatNumber(value);
        const edge = (columns[index] ?? 0) - (text.endsWith(')') ? 0 : textWidth(')', look.size));
        const isMarked = row.isTotal === true && look.dollar !== 'none' && !text.includes('.');
        const attached = isMarked && look.dollar === 'attached' ? `$${text}` : text;
        this.put(edge - textWidth(attached, look.size), attached);
        if (isMarked && look.dollar === 'apart') this.put((columns[index] ?? 0) - 62, '$');
      }
      placed.set(row.name, this.page);
      this.down((row.isTotal === true ? 1.6 : 1.3) * look.size);
    }
    this.down(20);
    return placed;
  }

  #caption(caption: string, unit: string): void {
    const { caption: way, size } = this.look;
    const large = way === 'large' ? 1.4 * size : size;
    const at = (text: string, points: number): number =>
      way === 'centred' ? 306 - textWidth(text, points) / 2 : PAGE.left;
    this.put(at(caption, large), caption, large, way !== 'plain');
    this.down(1.4 * large);
    this.put(at(unit, size), unit);
    this.down(1.8 * size);
  }

  #header(over: string, years: readonly number[], columns: readonly number[]): void {
    const { header, size } = this.look;
    const right = (text: string, edge: number): void => {
      this.put(edge - textWidth(text, size), text, size, true);
    };
    if (header === 'over years') {
      const middle = ((columns[0] ?? 0) - 50 + (columns.at(-1) ?? 0)) / 2;
      this.put(middle - textWidth(over, size) / 2, over, size, true);
      this.down(1.3 * size);
    }
    const isDate = header === 'dates';
    if (isDate) {
      for (const edge of columns) right('December 31,', edge);
      this.down(1.2 * size);
    }
    for (const [index, year] of years.entries()) right(String(year), columns[index] ?? 0);
    this.down(1.6 * size);
  }
}

function formatNumber(value: number): string {
  const text = Number.isInteger(value) ? Math.abs(value).toLocaleString('en') : Math.abs(value).toFixed(2);
  return value < 0 ? `(${text})` : text;
}

/** Names that different companies use for the same row. */
const NAMES = {
  revenue: ['Net sales', 'Total revenues', 'Revenues'],
  cost: ['Cost of sales', 'Cost of goods sold', 'Cost of revenue'],
  sga: ['Selling, general and administrative expenses', 'Selling and administrative', 'Operating, selling and general expenses'],
  operating: ['Operating income', 'Income from operations', 'Operating profit'],
  net: ['Net income', 'Net earnings', 'Net income attributable to the Company'],
  receivables: ['Accounts receivable, net', 'Trade receivables, net of allowances', 'Receivables, less allowances'],
  inventories: ['Inventories', 'Merchandise inventories', 'Total inventories'],
  ppe: ['Property, plant and equipment, net', 'Property and equipment, net', 'Net property, plant and equipment'],
  payables: ['Accounts payable', 'Trade payables', 'Accounts payable, trade'],
  capex: ['Purchases of property, plant and equipment', 'Additions to property and equipment', 'Payments for property, plant and equipment'],
  depreciation: ['Depreciation and amortization', 'Depreciation, depletion and amortization', 'Amortization and depreciation'],
  operations: ['Net cash provided by operating activities', 'Net cash flows from operating activities', 'Cash generated by operations'],
  dividends: ['Dividends paid to shareholders', 'Cash dividends paid', 'Payment of dividends'],
  repurchases: ['Purchases of treasury stock', 'Repurchases of common stock', 'Acquisition of treasury shares'],
} as const; // oxfmt-ignore

/** Words that analysts use for rows, if they differ. */
const ASKED: Readonly<Partial<Record<keyof typeof NAMES, readonly string[]>>> = {
  capex: ['capital expenditure amount', 'capital expenditures', 'capex'],
  revenue: ['revenue', 'top line', 'total sales'],
  cost: ['COGS', 'cost of products sold'],
  net: ['bottom line profit', 'net profit'],
  ppe: ['net PP&E', 'year end net PPNE'],
  receivables: ['year end accounts receivable', 'trade debtors'],
  depreciation: ['D&A', 'depreciation & amortization expense'],
  operations: ['cash from operations', 'operating cash flow'],
  dividends: ['cash dividends to stockholders', 'dividend payout in cash'],
  repurchases: ['share buybacks', 'amount spent on share repurchases'],
};

const STATEMENTS = {
  income: ['income statement', 'P&L statement', 'statement of income'],
  balance: ['balance sheet', 'statement of financial position', 'balance sheet'],
  flows: ['cash flow statement', 'statement of cash flows', 'cash flow statement'],
} as const;

/** Sentences with the words of statements, but without their numbers. */
const PROSE = [
  'Our {a} depends on {b}, and we can give no assurance that {c} will remain at its present level in {y}.',
  'Management reviews {a} and {b} each quarter and compares them with the plan that the board of directors approved for {y}.',
  'In {y}, {n} continued to invest in {a}, while {b} and {c} were broadly in line with expectations of the market.',
  'We believe that cash on hand, cash flow from operating activities and our credit facilities will cover {a} and {b} for the next twelve months.',
  'A decline in {a} could have a material adverse effect on {b}, our financial condition and results of operations.',
  'The increase in {a} of {n} was driven by volume and price, partly offset by foreign currency and higher {b}.',
  'Critical accounting estimates include those that concern {a}, {b} and {c}; actual amounts could differ from what was estimated.',
  '{n} uses {a} as a measure of performance, which is defined as {b} less {c} and is not a substitute for measures under generally accepted accounting principles.',
  'For information about {a}, refer to the consolidated statements and the notes to them, which show {b} in U.S. dollars and in millions.',
  'The audit committee discussed {a} with the auditors, who gave their opinion on the balance sheet and on {b}.',
  'Competition in the segment {s} is intense, and {a} there may be lower in {y} than what we have shown before.',
  'Seasonal demand affects {a}, so that {b} in the fourth quarter is usually higher than in the first.',
] as const;
const TOPICS = [
  'capital expenditures', 'net sales', 'cost of sales', 'operating margin', 'working capital', 'inventories', 'accounts receivable',
  'the income statement', 'cash dividends', 'share repurchases', 'gross profit', 'total assets', 'current liabilities', 'long-term debt',
  'depreciation and amortization', 'the effective tax rate', 'property, plant and equipment', 'free cash flow', 'research and development',
  'restructuring charges', 'revenue growth', 'the cash flow statement', 'goodwill', 'liquidity', 'net income per share', 'interest expense',
]; // oxfmt-ignore

function prose(random: Random, company: string, year: number, sentences: number): string {
  return Array.from({ length: sentences }, () =>
    pickOne(random, PROSE)
      .replace(/\{[abc]\}/g, () => pickOne(random, TOPICS))
      .replaceAll('{n}', random() < 0.5 ? company : 'the Company')
      .replaceAll('{s}', pickOne(random, SEGMENTS))
      .replaceAll('{y}', () => String(year - Math.floor(3 * random()))),
  ).join(' ');
}

/** Yields a report for each of several companies and years, the same for the same seed. */
export function* generateReports(
  seed: number,
  companies: number,
  yearsOfEach: number,
): Generator<GeneratedReport> {
  const random = seededRandom(seed);
  const from = Math.floor(random() * COMPANIES.length);
  for (let at = 0; at < companies; at++) {
    const company = COMPANIES[(from + at) % COMPANIES.length] ?? '';
    const look: Look = {
      size: pickOne(random, [8.5, 9, 10]),
      caption: pickOne(random, ['large', 'bold', 'centred', 'plain'] as const),
      unit: pickOne(random, ['(in millions, except per share amounts)', '(Dollars in millions)', '(In thousands)', 'Amounts in millions of U.S. dollars']),
      header: pickOne(random, ['over years', 'years', 'dates'] as const),
      dollar: pickOne(random, ['apart', 'attached', 'none'] as const),
      dots: random() < 0.3,
      isAscending: random() < 0.2,
      repeatsHeader: random() < 0.5,
      names: Math.floor(3 * random()),
    }; // oxfmt-ignore
    const last = 2017 + Math.floor(6 * random());
    for (let year = last - yearsOfEach + 1; year <= last; year++)
      yield generateReport(random, look, company, year);
  }
}

function generateReport(random: Random, look: Look, company: string, year: number): GeneratedReport {
  const name = (key: keyof typeof NAMES): string => NAMES[key][look.names] ?? NAMES[key][0];
  const years = [year, year - 1, year - 2];
  const amounts = (least: number, count = 3): number[] =>
    Array.from({ length: count }, () => Math.round(least * (1 + 3 * random())));
  const row = (label: string, least: number, isTotal = false, count = 3): StatementRow => ({
    name: label,
    values: amounts(Math.abs(least), count).map((value) => (least < 0 ? -value : value)),
    isTotal,
  });
  const line = (label: string): StatementRow => ({ name: label, values: [] });
  const income: Statement = {
    caption: pickOne(random, ['Consolidated Statements of Income', 'Consolidated Statements of Operations', 'Consolidated Statements of Earnings']),
    over: 'Year ended December 31,',
    rows: [
      row(name('revenue'), 9000, true), row(name('cost'), 5000), row('Gross profit', 3500), line('Operating expenses:'),
      row(name('sga'), 1500), row('Research and development', 400), row('Amortization of intangible assets', 80), row('Restructuring and other charges', 60),
      row(name('operating'), 1400, true), row('Interest expense', -120), row('Interest income', 20), row('Other expense, net', -30),
      row('Income before income taxes', 1300), row('Provision for income taxes', 260), row(name('net'), 1000, true), line('Earnings per share:'),
      { name: 'Basic', values: [2.31, 2.04, 1.87].map((value) => value + Math.floor(9 * random()) + 0.01) },
      { name: 'Diluted', values: [2.28, 2.01, 1.83].map((value) => value + Math.floor(9 * random()) + 0.01) },
    ],
  }; // oxfmt-ignore
  const balance: Statement = {
    caption: pickOne(random, ['Consolidated Balance Sheets', 'Consolidated Balance Sheets', 'Consolidated Statements of Financial Position']),
    over: 'As of December 31,',
    rows: [
      line('Assets'), line('Current assets:'), row('Cash and cash equivalents', 1500, false, 2), row('Marketable securities', 200, false, 2), row(name('receivables'), 1200, false, 2),
      row(name('inventories'), 1300, false, 2), row('Prepaid expenses and other current assets', 300, false, 2), row('Total current assets', 5000, true, 2),
      row(name('ppe'), 3500, false, 2), row('Goodwill', 2500, false, 2), row('Intangible assets, net', 900, false, 2), row('Other noncurrent assets', 500, false, 2), row('Total assets', 13000, true, 2),
      line('Liabilities and Stockholders\' Equity'), line('Current liabilities:'), row('Short-term borrowings', 300, false, 2), row(name('payables'), 900, false, 2), row('Accrued payroll', 250, false, 2),
      row('Accrued income taxes', 90, false, 2), row('Other current liabilities', 800, false, 2), row('Total current liabilities', 3000, true, 2), row('Long-term debt', 4000, false, 2),
      row('Pension and postretirement benefits', 700, false, 2), row('Other liabilities', 400, false, 2), row('Total liabilities', 8000, true, 2), line('Stockholders\' equity:'),
      row('Common stock, par value $0.01', 9, false, 2), row('Additional paid-in capital', 1500, false, 2), row('Retained earnings', 7000, false, 2), row('Treasury stock, at cost', -3000, false, 2),
      row('Accumulated other comprehensive loss', -600, false, 2), row('Total stockholders\' equity', 5000, true, 2), row('Total liabilities and stockholders\' equity', 13000, true, 2),
    ],
  }; // oxfmt-ignore
  const flows: Statement = {
    caption: 'Consolidated Statements of Cash Flows',
    over: 'Year ended December 31,',
    rows: [
      line('Cash flows from operating activities:'), row('Net income including noncontrolling interest', 1000, true), line('Adjustments to reconcile net income:'),
      row(name('depreciation'), 500), row('Stock-based compensation expense', 90), row('Deferred income taxes', -60), row('Gain on sale of businesses', -45), line('Changes in assets and liabilities:'),
      row('Accounts receivable', -110), row('Inventories', -90), row('Accounts payable', 70), row('Accrued income taxes', 30), row('Other, net', -20), row(name('operations'), 1700, true),
      line('Cash flows from investing activities:'), row(name('capex'), -600), row('Proceeds from sale of property and equipment', 40), row('Acquisitions, net of cash acquired', -300),
      row('Purchases of marketable securities', -250), row('Proceeds from maturities and sale of marketable securities', 260), row('Net cash used in investing activities', -800, true),
      line('Cash flows from financing activities:'), row('Change in short-term debt, net', -50), row('Repayment of debt', -400), row('Proceeds from debt', 500),
      row(name('repurchases'), -300), row(name('dividends'), -350), row('Proceeds from issuance of stock under plans', 60), row('Net cash used in financing activities', -700, true),
      row('Effect of exchange rate changes on cash', -15), row('Net increase in cash and cash equivalents', 120), row('Cash and cash equivalents at end of year', 1500, true),
    ],
  }; // oxfmt-ignore
  const segments = Array.from(new Set(Array.from({ length: 9 }, () => pickOne(random, SEGMENTS)))).slice(
    0,
    4,
  );
  const ofSegments = (what: string, least: number): Statement => ({
    caption: what,
    over: 'Year ended December 31,',
    rows: [...segments.map((segment) => row(segment, least)), row('Corporate and unallocated', -50), row(`Total ${what.toLowerCase()}`, 4 * least, true)],
  }); // oxfmt-ignore
  const segmentTables = [
    ofSegments('Net sales by segment', 2000),
    ofSegments('Operating income by segment', 300),
    ofSegments('Depreciation by segment', 90),
  ];
  const pages = new Pages(look, `${company}  |  Annual report`);
  const text = (sentences: number): string => prose(random, company, year, sentences);
  const further = FURTHER.toSorted(() => random() - 0.5);
  const section = (title: string, paragraphs: number, tables = 0): void => {
    pages.heading(title);
    for (let i = 0; i < paragraphs; i++) {
      pages.paragraph(text(3 + Math.floor(4 * random())));
      if (tables === 0 || (i + 1) % Math.ceil(paragraphs / tables) !== 0) continue;
      const [caption, names] = further.pop() ?? ['', []];
      const rows = names.map((label) => row(label, 30 + Math.floor(900 * random())));
      if (names.length > 0) pages.statement({ caption, over: 'Year ended December 31,', rows }, years);
    }
  };
  pages.newPage();
  pages.down(150);
  const lead = ['United States Securities and Exchange Commission', company];
  if (look.names === 0) lead.reverse();
  pages.put(PAGE.left, lead[0] ?? '', 20, true);
  pages.down(60);
  pages.put(PAGE.left, 'Form 10-K', 16);
  pages.down(30);
  pages.put(PAGE.left, lead[1] ?? '', 16);
  pages.down(30);
  pages.put(PAGE.left, `Annual report for the fiscal year ended December 31, ${String(year)}`, 12);
  pages.newPage();
  pages.heading('Table of Contents');
  for (const [index, title] of ['Business', 'Risk Factors', 'Management\'s Discussion', 'Financial Statements', 'Notes'].entries()) {
    pages.put(PAGE.left, `${title} ${'.'.repeat(90 - title.length)} ${String(4 + 5 * index)}`);
    pages.down(14);
  } // oxfmt-ignore
  pages.newPage();
  const events = EVENTS.toSorted(() => random() - 0.5).slice(0, 3);
  const eventPages: (readonly [asked: string, page: number])[] = [];
  for (const [index, title] of [
    'Item 1. Business',
    'Item 1A. Risk Factors',
    'Item 3. Legal Proceedings',
  ].entries()) {
    section(title, 8 + Math.floor(12 * random()));
    const [statement = '', asked = ''] = events[index] ?? [];
    const fillIn = (words: string): string =>
      words.replaceAll('{n}', company).replaceAll('{y}', String(year - index));
    const words = `${text(1)} ${fillIn(statement)} ${text(1)}`;
    if (pages.room < 80) pages.newPage();
    eventPages.push([fillIn(asked), pages.page]);
    pages.paragraph(words);
    section(`${title} (continued)`, 8 + Math.floor(12 * random()));
  }
  section("Item 7. Management's Discussion and Analysis", 12, 6);
  pages.statement(
    { caption: 'Results of operations as a percentage of sales', over: 'Year ended December 31,', rows: [row('Cost', 55), row('Selling and other expenses', 20), row('Margin', 14), row('Tax rate', 21)] },
    years,
    '(percent)',
  ); // oxfmt-ignore
  section('Liquidity and Capital Resources', 15, 4);
  pages.statement(
    { caption: 'Contractual obligations', over: 'Payments due by', rows: [row('Debt', 900), row('Leases', 100), row('Purchase commitments', 300)] },
    [year + 3, year + 2, year + 1],
  ); // oxfmt-ignore
  section('Item 8. Financial Statements and Supplementary Data', 2);
  const place = {
    income: new Map<string, number>(),
    balance: new Map<string, number>(),
    flows: new Map<string, number>(),
  };
  for (const [key, statement, of] of [['income', income, years], ['balance', balance, years.slice(0, 2)], ['flows', flows, years]] as const) {
    pages.newPage();
    // A statement that begins low continues on the next page.
    if (random() < 0.4) for (let i = 0; i < 4; i++) pages.paragraph(text(4));
    place[key] = pages.statement(statement, of);
  } // oxfmt-ignore
  pages.newPage();
  section('Note 1. Significant Accounting Policies', 25);
  section('Note 2. Property, Plant and Equipment', 2);
  pages.statement(
    { caption: 'Property, plant and equipment', over: 'As of December 31,', rows: [row('Land', 100, false, 2), row('Buildings and leasehold improvements', 900, false, 2), row('Machinery and equipment', 4000, false, 2), row('Construction in progress', 300, false, 2), row('Less accumulated depreciation', -2500, false, 2)] },
    years.slice(0, 2),
  ); // oxfmt-ignore
  section('Note 3. Segment Information', 3);
  const segmentPlaces = segmentTables.map((table) => pages.statement(table, years));
  for (const [index, title] of ['Income Taxes', 'Debt', 'Leases', 'Commitments and Contingencies'].entries())
    section(`Note ${String(index + 4)}. ${title}`, 10, 3);
  const statements = { income, balance, flows };
  const question = (
    kind: ReportQuestion['kind'],
    words: string,
    answer: { readonly pages: readonly (number | undefined)[]; readonly row?: StatementRow | undefined },
  ): ReportQuestion => ({
    kind,
    question: words,
    pages: [...new Set(answer.pages.flatMap((page) => page ?? []))],
    row: answer.row && [answer.row.name, ...answer.row.values.map(formatNumber)],
  });
  const questions: ReportQuestion[] = [];
  for (const key of ['income', 'balance', 'flows'] as const) {
    const { rows } = statements[key];
    const numbers = rows.filter(({ values, name: label }) => values.length > 0 && !['Basic', 'Diluted', 'Other, net'].includes(label));
    const statementRow = pickOne(random, numbers);
    const of = key === 'balance' ? year - Math.floor(2 * random()) : year - Math.floor(3 * random());
    questions.push(
      question('row', `What was ${statementRow.name.toLowerCase()} of ${company} in ${String(of)} according to the ${pickOne(random, STATEMENTS[key])}?`, { pages: [place[key].get(statementRow.name)], row: statementRow }),
    );
    for (const item of ['revenue', 'cost', 'net', 'ppe', 'receivables', 'capex', 'depreciation', 'operations', 'dividends', 'repurchases'] as const) {
      const row = rows.find(({ name: label }) => label === name(item));
      if (row === undefined || random() < 0.5) continue;
      const words = pickOne(random, ASKED[item] ?? []);
      const how = pickOne(random, [
        `What is the FY${String(of)} ${words} (in USD millions) for ${company}? Give a response to the question by relying on the details shown in the ${pickOne(random, STATEMENTS[key])}.`,
        `Assume that you are a public equities analyst. Answer the following question by primarily using information that is shown in the ${pickOne(random, STATEMENTS[key])}: what is the FY${String(of)} ${words} for ${company}? Answer in USD millions.`,
        `How much was ${company}'s ${words} in FY${String(of)}?`,
      ]);
      questions.push(question('other words', how, { pages: [place[key].get(row.name)], row }));
    }
  } // oxfmt-ignore
  const total = (key: 'income' | 'balance' | 'flows', label: string): number | undefined =>
    place[key].get(label);
  const fiscal = `FY${String(year)}`;
  const several: readonly (readonly [string, readonly (number | undefined)[]])[] = [
    [`What is ${company}'s ${fiscal} quick ratio? Quick ratio is defined as cash, marketable securities and receivables over current liabilities.`, [total('balance', 'Total current assets'), total('balance', 'Total current liabilities')]],
    [`Does ${company} have a reasonably healthy liquidity profile based on its current ratio for ${fiscal}?`, [total('balance', 'Total current assets'), total('balance', 'Total current liabilities')]],
    [`What is ${company}'s gross margin for ${fiscal}? Base your judgments on the income statement.`, [total('income', 'Gross profit')]],
    [`What is the ${fiscal} operating cash flow ratio for ${company}? It is defined as cash from operations over total current liabilities. Use the balance sheet and the cash flow statement.`, [total('flows', name('operations')), total('balance', 'Total current liabilities')]],
    [`What was the key agenda of ${company}'s effective tax rate in ${fiscal}, computed from income before taxes and the provision for income taxes?`, [total('income', 'Provision for income taxes')]],
    [`What is the ${fiscal} fixed asset turnover ratio for ${company}, that is revenue over average PP&E? Base your judgments on the statement of income and the statement of financial position.`, [total('income', name('revenue')), total('balance', name('ppe'))]],
  ]; // oxfmt-ignore
  for (const [words, where] of several)
    if (random() < 0.5) questions.push(question('of several rows', words, { pages: where }));
  const which = Math.floor(3 * random());
  const segment = pickOne(random, segments);
  const amount = ['net sales', 'operating income', 'depreciation'][which] ?? '';
  questions.push(
    question('segment', `What was the ${amount} of the ${segment} segment of ${company} in ${String(year - Math.floor(3 * random()))}?`, {
      pages: [segmentPlaces[which]?.get(segment)],
      row: segmentTables[which]?.rows.find(({ name: label }) => label === segment),
    }),
  ); // oxfmt-ignore
  for (const [asked, page] of eventPages) questions.push(question('prose', asked, { pages: [page] }));
  const file = `${company.replace(/\W+/g, '')}_${String(year)}_10K.pdf`;
  return { name: file, bytes: tinyPdf({ pages: pages.pages }), questions };
}
