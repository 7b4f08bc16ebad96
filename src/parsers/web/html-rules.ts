/** Rules of HTML elements: which ones are void, which ones close others, and which attributes this parser reads. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const voids = names(
  'AREA BASE BASEFONT BR COL EMBED FRAME HR IMG INPUT KEYGEN LINK META PARAM SOURCE TRACK WBR',
);

export const inHead = names('META LINK TITLE SCRIPT STYLE BASE NOSCRIPT TEMPLATE');

export const formatting = names(
  'A ABBR B BDI BDO BIG CITE CODE DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR',
);

export const endsParagraph = names(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE CENTER DETAILS DIALOG DIR DIV DL FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR MAIN MENU NAV OL P PRE SECTION SUMMARY TABLE UL',
);

/** Elements that the start of an element closes, and the elements that limit the search for them. */
export const closedBy: Readonly<
  Record<string, readonly [closes: ReadonlySet<string>, within: ReadonlySet<string>]>
> = {
  LI: [names('LI'), names('UL OL MENU TABLE')],
  DT: [names('DT DD'), names('DL TABLE')],
  DD: [names('DT DD'), names('DL TABLE')],
  TR: [names('TR TD TH CAPTION COLGROUP'), names('TABLE THEAD TBODY TFOOT')],
  TD: [names('TD TH'), names('TR TABLE')],
  TH: [names('TD TH'), names('TR TABLE')],
  THEAD: [names('THEAD TBODY TFOOT CAPTION COLGROUP'), names('TABLE')],
  TBODY: [names('THEAD TBODY TFOOT CAPTION COLGROUP'), names('TABLE')],
  TFOOT: [names('THEAD TBODY TFOOT CAPTION COLGROUP'), names('TABLE')],
  OPTION: [names('OPTION'), names('SELECT DATALIST')],
  OPTGROUP: [names('OPTION OPTGROUP'), names('SELECT')],
  RT: [names('RT RP'), names('RUBY')],
  RP: [names('RT RP'), names('RUBY')],
};
export const paragraph = names('P');
export const aroundParagraph = names('TABLE TD TH CAPTION BUTTON OBJECT BODY');
export const tableParts = names('TABLE THEAD TBODY TFOOT TR TD TH CAPTION BODY HTML');
export const cells = names('TD TH CAPTION');

/** Attributes that the parser reads; it ignores others. */
export const read = names(
  'alt alttext aria-controls aria-expanded aria-hidden aria-label charset checked class close colspan content data-lang data-language datetime display encoding epub:type hidden href http-equiv id itemprop itemtype lang language name open property rel role rowspan separators shadowrootmode start style title type value xml:lang',
);
