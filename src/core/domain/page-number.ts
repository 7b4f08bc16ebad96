declare const base: unique symbol;

/** Number of a page, counted from one. A `PageIndex` can't be used as one, but any other number can. */
export type PageNumber = number & { readonly [base]?: 'one' };

/** Index of a page, counted from zero, as arrays of pages and maps of a text to its pages have it. */
export type PageIndex = number & { readonly [base]?: 'zero' };

/** Returns the number of the page at an index. */
export function pageNumberOf(index: PageIndex): PageNumber {
  return index + 1;
}

/** Returns the index of the page with a number. */
export function pageIndexOf(page: PageNumber): PageIndex {
  return page - 1;
}
