/** A line of text on a page of a generated PDF, at a position in points from the lower left. */
export interface TinyLine {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  /** Turned by a quarter to the left, so that it reads upwards. */
  readonly upwards?: boolean;
  /** `true` for Courier, whose letters are 0.6 of the size wide. */
  readonly monospaced?: boolean;
  readonly bold?: boolean;
  /** Font of the reader, as in a PDF without embedded fonts; `text` is then encoded for it in hexadecimal. */
  readonly eastAsian?: EastAsianFont;
}

/** A character map that every reader of PDFs knows, and the collection of letters it leads to. */
export interface EastAsianFont {
  readonly encoding: string;
  readonly collection: 'Japan1' | 'GB1' | 'CNS1' | 'Korea1';
}

export interface TinyPage {
  readonly lines: readonly TinyLine[];
  /** Degrees by which a viewer turns the page clockwise. */
  readonly rotate?: 0 | 90;
  /** A black picture over most of the page, as a scan is. */
  readonly image?: boolean;
  /** PDF operators that draw before the text: `100 400 200 150 re f`. */
  readonly drawing?: string;
  /** An address that the whole page links to. */
  readonly link?: string;
  /** A link to another page, counted from zero, and its place as left, bottom, right and top. */
  readonly linkTo?: { readonly page: number; readonly rect: readonly [number, number, number, number] };
  readonly fields?: readonly TinyField[];
}

/** A field of a form: its place as left, bottom, right and top, its name, and the rest of its dictionary as PDF writes it. */
export interface TinyField {
  readonly rect: readonly [number, number, number, number];
  readonly name: string;
  /** `/FT /Tx /V (Ada)`; in it `{self}` is the field's own reference. */
  readonly entries: string;
}

export interface TinyPdf {
  readonly pages: readonly TinyPage[];
  readonly title?: string;
  /** Printed page labels as PDF writes them: `0 << /S /r >> 4 << /S /D /P (A-) >>`. */
  readonly labels?: string;
  readonly outline?: readonly TinyBookmark[];
  /** JavaScript that runs when the PDF is opened. */
  readonly openAction?: string;
  /** More entries of its catalog, and of the dictionary of its form. */
  readonly catalog?: string;
  readonly form?: string;
  /** More objects; in them and in `catalog`, `{0}` refers to the first. */
  readonly objects?: readonly string[];
}

/** A bookmark to a page (zero-based), and optionally to a height on it. */
interface TinyBookmark {
  readonly title: string;
  readonly page: number;
  readonly top?: number;
  readonly items?: readonly TinyBookmark[];
}

/** Writes a PDF of US letter pages in Helvetica. Texts are ASCII; `\\225` is a bullet. */
export function tinyPdf({
  pages,
  title,
  labels,
  outline,
  openAction,
  catalog: more = '',
  form = '',
  objects: moreObjects = [],
}: TinyPdf): Uint8Array {
  const objects: string[] = [];
  const pageNumber = (index: number): number => 5 + 2 * index;
  const fields = pages.flatMap((page) => page.fields ?? []);
  const firstField = pageNumber(pages.length);
  const fieldNumber = (field: TinyField): number => firstField + fields.indexOf(field);
  const firstMore = firstField + fields.length;
  const withReferences = (text: string): string =>
    text.replace(/\{(\d+)\}/g, (_, index) => `${String(firstMore + Number(index))} 0 R`);
  const firstBookmark = firstMore + moreObjects.length;
  const catalog = [
    labels === undefined ? '' : `/PageLabels << /Nums [${labels}] >>`,
    outline === undefined ? '' : `/Outlines ${String(firstBookmark)} 0 R`,
    fields.length === 0
      ? ''
      : `/AcroForm << ${form} /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 3 0 R >> >> /Fields [${fields.map((_, i) => `${String(firstField + i)} 0 R`).join(' ')}] >>`,
    withReferences(more),
    openAction === undefined ? '' : `/OpenAction << /S /JavaScript /JS ${literal(openAction)} >>`,
  ];
  objects.push(`<< /Type /Catalog /Pages 2 0 R ${catalog.join(' ')} >>`);
  objects.push(
    `<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.map((_, i) => `${String(pageNumber(i))} 0 R`).join(' ')}] >>`,
  );
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  objects.push(`<< ${title === undefined ? '' : `/Title ${literal(title)}`} >>`);
  for (const [index, page] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate ${String(page.rotate ?? 0)} ${writeAnnotations(page, fieldNumber, pageNumber)} ` +
        `/Resources << /Font << /F1 3 0 R /F2 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> /F3 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> ${eastAsianFonts(page)} >> >> /Contents ${String(pageNumber(index) + 1)} 0 R >>`,
    );
    const content = [
      ...(page.image ? [picture] : []),
      ...(page.drawing === undefined ? [] : [page.drawing]),
      ...page.lines.map(writeOperators),
    ].join('\n');
    objects.push(`<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`);
  }
  for (const [index, { rect, name, entries }] of fields.entries())
    objects.push(
      `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect.join(' ')}] /T ${literal(name)} ${entries.replaceAll('{self}', `${String(firstField + index)} 0 R`)} >>`,
    );
  objects.push(...moreObjects.map(withReferences));
  if (outline !== undefined) {
    const bookmarks = writeBookmarks(outline, firstBookmark, pageNumber);
    objects.push(...bookmarks);
  }
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  file += `xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f \n`;
  for (const offset of offsets) file += `${String(offset).padStart(10, '0')} 00000 n \n`;
  file += `trailer\n<< /Size ${String(objects.length + 1)} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${String(xref)}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}

/** Lines of text below each other, from a place downwards. */
export function column(x: number, top: number, texts: readonly string[], size = 10): TinyLine[] {
  return texts.map((text, index) => ({ x, y: top - 1.25 * size * index, text, size }));
}

/** Text in UTF-16, as hexadecimal. */
export function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

function eastAsianFonts({ lines }: TinyPage): string {
  const fonts = new Map(
    lines.flatMap(({ eastAsian }) => (eastAsian ? [[fontName(eastAsian), eastAsian]] : [])),
  );
  return [...fonts]
    .map(([name, { encoding, collection }]) => {
      const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >>`;
      const descriptor = `/FontDescriptor << /Type /FontDescriptor /FontName /Elsewhere /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>`;
      const letters = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Elsewhere ${system} ${descriptor} >>`;
      return `/${name} << /Type /Font /Subtype /Type0 /BaseFont /Elsewhere /Encoding /${encoding} /DescendantFonts [${letters}] >>`;
    })
    .join(' ');
}

function fontName({ encoding }: EastAsianFont): string {
  return `E${encoding}`;
}

/** 200 by 200 pixels, of one bit each. */
function writeAnnotations(
  { link, linkTo, fields = [] }: TinyPage,
  toNumber: (field: TinyField) => number,
  pageNumber: (index: number) => number,
): string {
  const annotations = fields.map((field) => `${String(toNumber(field))} 0 R`);
  if (link !== undefined)
    annotations.push(
      `<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /URI /URI ${literal(link)} >> >>`,
    );
  if (linkTo !== undefined)
    annotations.push(
      `<< /Type /Annot /Subtype /Link /Rect [${linkTo.rect.join(' ')}] /Dest [${String(pageNumber(linkTo.page))} 0 R /Fit] >>`,
    );
  return annotations.length === 0 ? '' : `/Annots [${annotations.join(' ')}]`;
}

const picture = `q 500 0 0 700 50 50 cm BI /W 200 /H 200 /BPC 1 /CS /G /F /AHx ID ${'00'.repeat(5_000)}> EI Q`;

/** The objects of an outline, numbered from its root's on. */
function writeBookmarks(
  outline: readonly TinyBookmark[],
  root: number,
  pageNumber: (index: number) => number,
): string[] {
  const objects: string[] = [''];
  const close = (number: number, rest: string): void => {
    objects[number - root] = `${objects[number - root] ?? ''} ${rest} >>`;
  };
  const addAll = (items: readonly TinyBookmark[], parent: number): string => {
    let first = 0;
    let last = 0;
    for (const { title, page, top, items: inner = [] } of items) {
      const number = root + objects.push('') - 1;
      const children = inner.length === 0 ? '' : addAll(inner, number);
      const fit = top === undefined ? '/Fit' : `/XYZ 0 ${String(top)} 0`;
      const place = `/Dest [${String(pageNumber(page))} 0 R ${fit}]`;
      const previous = last === 0 ? '' : `/Prev ${String(last)} 0 R`;
      objects[number - root] =
        `<< /Title ${literal(title)} /Parent ${String(parent)} 0 R ${place} ${previous} ${children}`;
      if (last !== 0) close(last, `/Next ${String(number)} 0 R`);
      first ||= number;
      last = number;
    }
    close(last, '');
    return `/First ${String(first)} 0 R /Last ${String(last)} 0 R /Count ${String(items.length)}`;
  };
  objects[0] = `<< /Type /Outlines ${addAll(outline, root)} >>`;
  return objects;
}

function writeOperators({
  x,
  y,
  text,
  size = 10,
  upwards = false,
  monospaced = false,
  bold = false,
  eastAsian,
}: TinyLine): string {
  const turn = upwards ? '0 1 -1 0' : '1 0 0 1';
  const font = eastAsian ? fontName(eastAsian) : monospaced ? 'F2' : bold ? 'F3' : 'F1';
  const shown = eastAsian ? `<${text}>` : literal(text);
  return `BT /${font} ${String(size)} Tf ${turn} ${String(x)} ${String(y)} Tm ${shown} Tj ET`;
}

function literal(text: string): string {
  return `(${text.replace(/[()]|\\(?!225)/g, '\\$&')})`;
}
