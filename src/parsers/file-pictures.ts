import { JUPYTER_TYPE, shownPictureType } from '../core/domain/media-types.ts';
import type { FigurePicture } from '../core/domain/figure.ts';
import { pictureOfOutput } from './jupyter.ts';
import { pictureAtCaption } from './office/docx-picture.ts';

/** Picture as stored in a file. */
export interface FilePicture {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Picture inside a file of another kind. */
export type InnerPicture = Extract<FigurePicture, { kind: 'caption' | 'cell' }>;

/**
 * Returns the picture that a cell of a Jupyter notebook output, or that is beside a caption in a Word file; undefined
 * if there is no picture.
 */
export function pictureIn(
  bytes: Uint8Array,
  name: string,
  mediaType: string,
  picture: InnerPicture,
): FilePicture | undefined {
  if (picture.kind === 'cell')
    return mediaType === JUPYTER_TYPE
      ? pictureOfOutput(bytes, name, picture.cell, picture.output)
      : undefined;
  const embeddedPicture = pictureAtCaption(bytes, name, picture.words);
  const type = shownPictureType(embeddedPicture?.name ?? '');
  return embeddedPicture === undefined || type === undefined
    ? undefined
    : { mediaType: type, bytes: embeddedPicture.bytes };
}
