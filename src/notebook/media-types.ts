export const PDF_TYPE = 'application/pdf';

/** Jupyter notebooks, which the editor opens by their cells. */
export const JUPYTER_TYPE = 'application/x-ipynb+json';

/**
 * Whether files of a media type are opened as the reading that was made of them, because the editor has no view of
 * their words: Office files, books, mail, pictures.
 */
export function isOpenedAsReading(mediaType: string): boolean {
  return /^(?:application\/(?:vnd\.(?:openxmlformats|oasis)|epub\+zip$|rtf$)|message\/|image\/(?!svg\+xml$))/.test(
    mediaType,
  );
}

/** The endings of files that are opened as readings, by what their media types begin with. */
const OWN_ENDINGS: readonly (readonly [type: string, endings: RegExp])[] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml', /\.(?:docx|dotx)$/i],
  ['application/vnd.openxmlformats-officedocument.presentationml', /\.(?:pptx|ppsx|potx)$/i],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml', /\.(?:xlsx|xltx)$/i],
  ['application/vnd.oasis.opendocument.text', /\.(?:odt|ott)$/i],
  ['application/vnd.oasis.opendocument.spreadsheet', /\.(?:ods|ots)$/i],
  ['application/vnd.oasis.opendocument.presentation', /\.(?:odp|otp)$/i],
  ['application/epub+zip', /\.epub$/i],
  ['application/rtf', /\.rtf$/i],
  ['message/', /\.eml$/i],
  ['image/png', /\.png$/i],
  ['image/jpeg', /\.jpe?g$/i],
  ['image/gif', /\.gif$/i],
  ['image/webp', /\.webp$/i],
  ['image/tiff', /\.tiff?$/i],
];

/**
 * Whether a file's name ends as files of its media type do, so that the system opens it by a program that shows such
 * files. A book by its first bytes that is called `setup.exe` would be run; what may hold macros is not among them.
 */
export function hasOwnEnding(mediaType: string, name: string): boolean {
  return OWN_ENDINGS.some(([type, endings]) => mediaType.startsWith(type) && endings.test(name));
}

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** The media type of a picture that webviews show, by the ending of its name; undefined for other files. */
export function shownPictureType(name: string): string | undefined {
  return PICTURE_TYPES[/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''];
}

/** Whether a file's name is that of a picture of pixels, as scans are. */
export function isPictureName(name: string): boolean {
  return /\.(?:png|jpe?g|webp|tiff?)$/i.test(name);
}
