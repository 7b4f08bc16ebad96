import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { MAX_IMAGE_PIXELS } from '../pdf/engine.ts';
import { jpegPage } from './jpeg.ts';
import { ASIDE, Refusal, type PicturePage } from './picture-page.ts';
import { pngPage } from './png.ts';
import { tiffPages } from './tiff.ts';
import { webpPage } from './webp.ts';

const POINTS_PER_INCH = 72;
/** Long sides of A5, A4 and A3 in inches. */
const A5 = 8.27;
const A4 = 11.69;
const A3 = 16.54;

/**
 * Returns a PDF with a page for each picture of a file (PNG, JPEG, TIFF, WebP), upright according to the file, and as
 * large as the file says or as a sheet of paper. The same bytes always yield the same PDF.
 * @throws NotebookError `damaged`, `too-large` or `unsupported`.
 */
export async function pdfOfPictures(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  try {
    return makePdf(await readPages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  } catch (error) {
    throw error instanceof Refusal ? describeRefusal(error, name) : error;
  }
}

async function readPages(bytes: Buffer): Promise<PicturePage[]> {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n')) return [pngPage(bytes)];
  if (start.startsWith('\xff\xd8\xff')) return [jpegPage(bytes)];
  if (/^(?:II\*\0|MM\0\*)/.test(start)) return tiffPages(bytes);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return [await webpPage(bytes)];
  throw new Refusal('unsupported');
}

function describeRefusal({ code, width, height }: Refusal, name: string): NotebookError {
  const sentence = {
    damaged: () =>
      t(
        'Can’t read {0} as an image. The file may be damaged or incomplete. Save it again, then retry.',
        name,
      ),
    unsupported: () =>
      t('{0} uses an unsupported image format. Save it as PNG or JPEG, then add the new file.', name),
    'too-large': () =>
      t(
        '{0} has {1} × {2} pixels, but the limit is {3} million pixels. Make the image smaller.',
        name,
        width,
        height,
        MAX_IMAGE_PIXELS / 1e6,
      ),
  }[code];
  return new NotebookError(code, sentence());
}

/** Returns a PDF with one page per picture. */
function makePdf(pages: readonly PicturePage[]): Uint8Array {
  const objects: (string | { readonly entries: string; readonly bytes: Uint8Array })[] = ['', ''];
  const add = (object: (typeof objects)[number]): string => `${String(objects.push(object))} 0 R`;
  const kids = pages.map((page) => {
    const { turn, isMirrored } = findPlacing(page.orientation);
    const [across, down] = chooseResolution(page);
    const width = Math.max(1, (page.width / across) * POINTS_PER_INCH);
    const height = Math.max(1, (page.height / down) * POINTS_PER_INCH);
    const scale = `${decimal(width / page.width)} 0 0 ${decimal(height / page.height)} 0 0 cm`;
    const mirror = isMirrored ? `-1 0 0 1 ${String(page.width)} 0 cm` : '';
    const images = page.parts.map(({ entries, bytes, aside, ...part }) => {
      const filled = aside ? entries.replace(ASIDE, () => add(aside)) : entries;
      const dimensions = `/Width ${String(part.width)} /Height ${String(part.height)}`;
      return add({ entries: `/Type /XObject /Subtype /Image ${dimensions} ${filled}`, bytes });
    });
    const drawn = page.parts.map((part, i) => {
      const bottom = page.height - part.top - part.height;
      const place = [part.width, 0, 0, part.height, part.left, bottom].join(' ');
      return `q ${place} cm /I${String(i)} Do Q`;
    });
    const content = add({ entries: '', bytes: Buffer.from([scale, mirror, ...drawn].join('\n')) });
    const named = images.map((reference, i) => `/I${String(i)} ${reference}`).join(' ');
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${decimal(width)} ${decimal(height)}] /Rotate ${String(turn)} ` +
        `/Resources << /XObject << ${named} >> >> /Contents ${content} >>`,
    );
  });
  objects[0] = '<< /Type /Catalog /Pages 2 0 R >>';
  objects[1] = `<< /Type /Pages /Count ${String(kids.length)} /Kids [${kids.join(' ')}] >>`;
  return writePdf(objects);
}

function writePdf(
  objects: readonly (string | { readonly entries: string; readonly bytes: Uint8Array })[],
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const write = (piece: string | Uint8Array): void => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    pieces.push(bytes);
    length += bytes.length;
  };
  // Bytes above 127 show programs that the file is binary.
  write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const offsets = objects.map((object, index) => {
    const offset = length;
    write(`${String(index + 1)} 0 obj\n`);
    if (typeof object === 'string') write(object);
    else {
      write(`<< ${object.entries} /Length ${String(object.bytes.length)} >>\nstream\n`);
      write(object.bytes);
      write('\nendstream');
    }
    write('\nendobj\n');
    return offset;
  });
  const table = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  write(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`);
  write(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(table)}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(pieces));
}

function decimal(value: number): string {
  return String(Number(value.toFixed(6)));
}

/** Returns the steps that make a stored picture upright: mirror it horizontally first, then turn it clockwise. */
function findPlacing(orientation = 1): { readonly turn: number; readonly isMirrored: boolean } {
  const turns = [0, 0, 180, 180, 270, 90, 90, 270];
  return { turn: turns[orientation - 1] ?? 0, isMirrored: [2, 4, 5, 7].includes(orientation) };
}

/**
 * Returns the pixels per inch of a picture: its own value, unless it is a default of screens and cameras. Otherwise the
 * long side gets the length of A4 at 150 to 300 dots per inch, but at least that of A5 and at most that of A3.
 */
function chooseResolution({ width, height, dotsPerInch }: PicturePage): readonly [number, number] {
  const long = Math.max(width, height);
  if (dotsPerInch) {
    const [across, down] = dotsPerInch;
    const least = Math.min(across, down);
    const isLikely = least >= 150 || long / least <= A3;
    if (isLikely && least >= 50 && Math.max(across, down) <= 4800) return dotsPerInch;
  }
  const likely = Math.min(300, Math.max(150, long / A4));
  const chosen = Math.min(long / A5, Math.max(long / A3, likely));
  return [chosen, chosen];
}
