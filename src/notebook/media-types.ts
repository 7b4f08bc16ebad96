export const pdfType = 'application/pdf';

/** Jupyter notebooks, which the editor opens by their cells. */
export const jupyterType = 'application/x-ipynb+json';

/**
 * Whether files of a media type are opened as the reading that was made of them, because the editor has no view of
 * their words: Office files, books, mail, pictures.
 */
export function isOpenedAsReading(mediaType: string): boolean {
  return /^(?:application\/(?:vnd\.(?:openxmlformats|oasis)|epub\+zip$|rtf$)|message\/|image\/(?!svg\+xml$))/.test(
    mediaType,
  );
}
