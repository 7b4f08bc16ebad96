export const PDF_TYPE = 'application/pdf';

/** Media type of Jupyter notebooks, which the editor opens by cell. */
export const JUPYTER_TYPE = 'application/x-ipynb+json';

/**
 * Reports whether files of a media type are opened as extracted text, since the editor can't show them: Office files,
 * books, mail, web archives, pictures, recordings.
 */
export function isOpenedAsReading(mediaType: string): boolean {
  return /^(?:application\/(?:vnd\.(?:openxmlformats|oasis)|epub\+zip$|rtf$|x-webarchive$)|multipart\/related$|message\/|audio\/|video\/|image\/(?!svg\+xml$))/.test(
    mediaType,
  );
}

/** Extensions of files that are opened as extracted text, by the start of their media type. */
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
 * Reports whether a file has an extension of its media type, so that the system opens it with a viewer of such files.
 * Otherwise a file with the first bytes of a book, but the name `setup.exe`, would be run. Types that can contain
 * macros or scripts aren't in the list.
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

/** Returns the media type of a picture that webviews can show, by its extension; undefined for other files. */
export function shownPictureType(name: string): string | undefined {
  return PICTURE_TYPES[/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''];
}

/** Reports whether a file has the extension of a bitmap picture, such as a scan. */
export function isPictureName(name: string): boolean {
  return /\.(?:png|jpe?g|webp|tiff?)$/i.test(name);
}
