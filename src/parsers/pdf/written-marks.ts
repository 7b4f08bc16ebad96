import { pageIndexOf } from '../../core/domain/page-number.ts';
import { t } from '@vscode/l10n';
import { RunDirection, type Heading, type PdfPage } from '../../core/domain/document.ts';
import { quadRectangle, type Annotation, type AnnotationKind } from '../../core/domain/annotation.ts';
import type { Word } from './fragment.ts';
import type { TextWriter } from './text-writer.ts';

/** Maximum number of annotations to write, and maximum length of each, in UTF-16 code units. */
const MAX_ANNOTATIONS = 5_000;
const MAX_LENGTH = 4_000;

/**
 * Writes a PDF's annotations after its text, in a section of their own, so that a search finds them as annotations:
 * "Highlighted on p. 3: “the words” Comment: their comment". Returns undefined if there are none.
 */
export function writeMarks(
  writer: TextWriter,
  annotations: readonly Annotation[],
  frames: readonly Pick<PdfPage, 'label'>[],
): Heading | undefined {
  const withText = annotations
    .filter(({ words, remark }) => words !== '' || remark !== '')
    .slice(0, MAX_ANNOTATIONS);
  if (withText.length === 0) return undefined;
  const title = t('Marked text: highlights, underlining, and comments');
  const offset = writer.beginBlock();
  writer.writeAround(title, [], '', 0);
  for (const annotation of withText) {
    const { kind, page, remark, words } = annotation;
    writer.beginBlock();
    const place = frames[pageIndexOf(page)]?.label ?? String(page);
    const comment = remark.slice(0, MAX_LENGTH);
    // "Comment on p. 3:" already names the kind.
    const comments =
      comment === '' || (kind === 'note' && words === '') ? comment : t('Comment: {0}', comment);
    if (words === '')
      writer.writeAround(
        `${describeKind(kind, place)} `,
        placeWords(annotation, comments),
        '',
        pageIndexOf(page),
      );
    else
      writer.writeAround(
        `${describeKind(kind, place)} “`,
        placeWords(annotation, words.slice(0, MAX_LENGTH)),
        comments === '' ? '”' : `” ${comments}`,
        pageIndexOf(page),
      );
  }
  return { offset, level: 1, title };
}

function describeKind(kind: AnnotationKind, place: string): string {
  switch (kind) {
    case 'highlight':
      return t('Highlighted on p. {0}:', place);
    case 'underline':
    case 'squiggly':
      return t('Underlined on p. {0}:', place);
    case 'strikeout':
      return t('Crossed out on p. {0}:', place);
    case 'box':
      return t('Marked with a box on p. {0}:', place);
    case 'note':
      return t('Comment on p. {0}:', place);
    case 'text':
      return t('Written on p. {0}:', place);
    case 'drawing':
      return t('Drawn on p. {0}:', place);
  }
}

/**
 * Distributes words over the lines of an annotation by the lengths of the lines, because the real distribution is
 * unknown.
 */
function placeWords({ page, quads }: Annotation, text: string): Word[] {
  const boxes = quads.map((quad) => quadRectangle(quad, page));
  const whole = boxes.reduce((sum, { width }) => sum + width, 0) || 1;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const placedWords: Word[] = [];
  let before = 0;
  for (const [index, { x, y, width, height }] of boxes.entries()) {
    before += width;
    const end = index === boxes.length - 1 ? words.length : Math.round((words.length * before) / whole);
    const line = words.slice(placedWords.length, end);
    const length = line.join(' ').length || 1;
    let at = 0;
    for (const word of line) {
      placedWords.push({
        text: word,
        before: ' ',
        box: [x + (width * at) / length, y, (width * word.length) / length, height],
        direction: RunDirection.leftToRight,
      });
      at += word.length + 1;
    }
  }
  return placedWords;
}
