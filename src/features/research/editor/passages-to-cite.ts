import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import type { Span } from '../../../core/language/span.ts';
import type { PassageToCite } from '../protocol.ts';

/** Returns passages with the text and location that the page shows, so that the user can cite them in a step. */
export async function passagesToCite(
  finder: PassageFinder,
  places: readonly { readonly passage: FoundPassage; readonly marks: readonly Span[] }[],
): Promise<readonly PassageToCite[]> {
  const cited = await finder.cite(
    places.map(({ passage, marks: [span = passage] }, index) => ({ number: index + 1, passage, span })),
  );
  return places.map(({ passage, marks }, index) => {
    const { title = passage.sourceTitle, place = '' } = cited[index] ?? {};
    const { documentId, start, end, text, format, languageId } = passage;
    return {
      picked: {
        documentId,
        span: { start, end },
        label: [title, place].filter((part) => part !== '').join(', '),
      },
      title,
      place,
      text,
      format,
      languageId,
      marks: marks.map((mark) => ({ start: mark.start - start, end: mark.end - start })),
    };
  });
}
