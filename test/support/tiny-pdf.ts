/** A line of text on a page of a made-up PDF, at a place in points from the lower left. */
export interface TinyLine {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  /** Turned by a quarter to the left, so that it reads upwards. */
  readonly upwards?: boolean;
  /** In Courier, whose letters are 0.6 of the size wide. */
  readonly monospaced?: boolean;
}

export interface TinyPage {
  readonly lines: readonly TinyLine[];
  /** Degrees by which a viewer turns the page clockwise. */
  readonly rotate?: 0 | 90;
  /** A black picture over most of the page, as a scan is. */
  readonly image?: boolean;
}

export interface TinyPdf {
  readonly pages: readonly TinyPage[];
  readonly title?: string;
  /** Printed page labels: the prefix of all pages. */
  readonly labelPrefix?: string;
}

/** Writes a PDF of US letter pages in Helvetica. Texts are ASCII; `\\225` is a bullet. */
export function tinyPdf({ pages, title, labelPrefix }: TinyPdf): Uint8Array {
  const objects: string[] = [];
  const pageNumber = (index: number): number => 5 + 2 * index;
  const labels =
    labelPrefix === undefined ? '' : `/PageLabels << /Nums [0 << /S /D /P ${literal(labelPrefix)} >>] >>`;
  objects.push(`<< /Type /Catalog /Pages 2 0 R ${labels} >>`);
  objects.push(
    `<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.map((_, i) => `${String(pageNumber(i))} 0 R`).join(' ')}] >>`,
  );
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  objects.push(`<< ${title === undefined ? '' : `/Title ${literal(title)}`} >>`);
  for (const [index, page] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate ${String(page.rotate ?? 0)} ` +
        `/Resources << /Font << /F1 3 0 R /F2 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >> /Contents ${String(pageNumber(index) + 1)} 0 R >>`,
    );
    const content = [...(page.image ? [picture] : []), ...page.lines.map(operatorsOf)].join('\n');
    objects.push(`<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`);
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

/** 200 by 200 pixels, of one bit each. */
const picture = `q 500 0 0 700 50 50 cm BI /W 200 /H 200 /BPC 1 /CS /G /F /AHx ID ${'00'.repeat(5_000)}> EI Q`;

function operatorsOf({ x, y, text, size = 10, upwards = false, monospaced = false }: TinyLine): string {
  const turn = upwards ? '0 1 -1 0' : '1 0 0 1';
  const font = monospaced ? 'F2' : 'F1';
  return `BT /${font} ${String(size)} Tf ${turn} ${String(x)} ${String(y)} Tm ${literal(text)} Tj ET`;
}

function literal(text: string): string {
  return `(${text.replace(/[()]|\\(?!225)/g, '\\$&')})`;
}
