/**
 * Returns a PDF with right-to-left lines at the right edge of a page. As in the files of most programs, each string has
 * its letters and marks from left to right as displayed, and brackets by their shape.
 */
export function makeRightToLeftPdf(displayed: readonly string[]): Uint8Array {
  const codes = new Map<string, number>();
  const lines = displayed.map((line, i) => {
    const letters = Array.from(line, (letter) => {
      const code = codes.get(letter) ?? codes.size + 1;
      codes.set(letter, code);
      return code.toString(16).padStart(4, '0');
    });
    const x = 540 - 6 * line.replace(/\p{M}/gu, '').length;
    return `BT /F1 12 Tf 1 0 0 1 ${String(x)} ${String(780 - 16 * i)} Tm <${letters.join('')}> Tj ET`;
  });
  const names = Array.from(
    codes,
    ([letter, code]) =>
      `<${code.toString(16).padStart(4, '0')}> <${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}>`,
  );
  const map = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${String(names.length)} beginbfchar ${names.join(' ')} endbfchar endcmap`;
  const widths = Array.from(codes, ([letter, code]) =>
    /\p{M}/u.test(letter) ? `${String(code)} [0]` : `${String(code)} [${letter === ' ' ? '300' : '500'}]`,
  );
  const stream = (content: string): string =>
    `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    stream(lines.join('\n')),
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [${widths.join(' ')}] /FontDescriptor 8 0 R >>`,
    stream(map),
    '<< /Type /FontDescriptor /FontName /Test /Flags 32 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${String(i + 1)} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f \n${offsets.join('')}trailer << /Size ${String(objects.length + 1)} /Root 1 0 R >>\nstartxref\n${String(start)}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}
