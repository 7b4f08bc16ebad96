import { makeZip } from '../../src/features/export/service/zip.ts';

const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

/** Returns a relation of an Office file. */
export const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;

/** Returns a part with relations of an Office file. */
export const relations = (...all: readonly string[]): string =>
  `<Relationships>${all.join('')}</Relationships>`;

/** Returns a Word file with a body, and other parts by name. */
export const docx = (body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'word/document.xml')),
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(
      relation('rId1', 'styles', 'styles.xml'),
      relation('rId2', 'numbering', 'numbering.xml'),
    ),
    ...parts,
  });

/** Returns a paragraph of a Word file. */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Returns an Excel file with one sheet, and other parts by name. */
export const xlsx = (sheet: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', '/xl/workbook.xml')),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('rId2', 'styles', 'styles.xml'),
      relation('rId3', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...parts,
  });

/** Returns a cell with words of an Excel file. */
export const word = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** Returns a PowerPoint file with one slide of the given shapes, and other parts by name. */
export const pptx = (shapes: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'ppt/presentation.xml')),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(relation('rId1', 'slide', 'slides/slide1.xml')),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    ...parts,
  });

/** Returns a shape of a PowerPoint file with one paragraph. */
export const shape = (content: string): string => `<p:sp><p:txBody><a:p>${content}</a:p></p:txBody></p:sp>`;

/** Returns an OpenDocument file with a body and automatic styles, and other parts by name. */
export const openDocument = (
  type: 'presentation' | 'spreadsheet' | 'text',
  body: string,
  styles = '',
  parts: Readonly<Record<string, string>> = {},
): Uint8Array =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'content.xml': `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
    ...parts,
  });

/** Returns an EPUB book whose manifest and spine hold the given items, with its files by name. */
export const epub = (
  items: readonly (readonly [href: string, mediaType: string])[],
  files: Readonly<Record<string, string>>,
): Uint8Array =>
  makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': `<package><manifest>${items
      .map(([href, type]) => `<item id="${href}" href="${href}" media-type="${type}"/>`)
      .join(
        '',
      )}</manifest><spine>${items.map(([href]) => `<itemref idref="${href}"/>`).join('')}</spine></package>`,
    ...files,
  });
