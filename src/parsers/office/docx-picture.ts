import { mainPart, readRelations } from './open-xml.ts';
import { descendants, eachElement, textWithin, type XmlElement } from './xml.ts';
import { openContainer } from './zip.ts';

/** Length of a caption's start that identifies it, in letters and digits. */
const CAPTION_PREFIX_LENGTH = 80;
/** Offsets in paragraphs from a caption to its picture, in order of search. */
const PLACES = [0, -1, 1, -2];

/** Returns the picture beside a caption of a Word file, with its part's name; undefined if there is none. */
export function pictureAtCaption(
  bytes: Uint8Array,
  fileName: string,
  caption: string,
): { readonly name: string; readonly bytes: Uint8Array } | undefined {
  const container = openContainer(bytes, fileName);
  const main = mainPart(container, fileName);
  const xml = container.part(main);
  if (xml === undefined) return undefined;
  const captionStart = lettersOnly(caption).slice(0, CAPTION_PREFIX_LENGTH);
  const paragraphs: { readonly isCaption: boolean; readonly pictures: readonly string[] }[] = [];
  eachElement(
    xml,
    new Set(['p']),
    (paragraph) => {
      const words = [...descendants(paragraph, 't')].map(textWithin).join('');
      paragraphs.push({
        isCaption: captionStart !== '' && lettersOnly(words).startsWith(captionStart),
        pictures: picturesIn(paragraph),
      });
    },
    fileName,
  );
  const relations = readRelations(container, main, fileName);
  for (const [index, { isCaption }] of paragraphs.entries()) {
    if (!isCaption) continue;
    for (const place of PLACES)
      for (const id of paragraphs[index + place]?.pictures ?? []) {
        const name = relations.get(id)?.target ?? '';
        const part = container.part(name);
        if (part !== undefined) return { name, bytes: part };
      }
  }
  return undefined;
}

/** Returns the references of a paragraph's pictures in the current and the older format. */
function picturesIn(paragraph: XmlElement): string[] {
  const blips = [...descendants(paragraph, 'blip')].map(({ attributes }) => attributes['r:embed']);
  const images = [...descendants(paragraph, 'imagedata')].map(({ attributes }) => attributes['r:id']);
  return [...blips, ...images].filter((id) => id !== undefined);
}

function lettersOnly(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
