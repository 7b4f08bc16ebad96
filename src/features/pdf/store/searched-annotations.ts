import { t } from '@vscode/l10n';
import { quadRectangle, type Annotation } from '../../../core/domain/annotation.ts';
import { annotationsByKey } from '../../../core/domain/stored-annotations.ts';
import { readJson } from '../../../index/store/database/stored-json.ts';
import {
  cutExcerpt,
  foldText,
  readingStatements,
  type SearchedRows,
} from '../../../index/store/searched-rows.ts';

/** Marks in PDFs, with their comments, in the search across notebooks. */
export const searchedAnnotations: SearchedRows = {
  ...readingStatements(
    'file_annotations',
    'file_annotations n',
    'n.annotations',
    `coalesce((SELECT max(read_at) FROM documents WHERE uri = n.uri), 0), '',
     coalesce((SELECT title FROM documents WHERE uri = n.uri LIMIT 1), n.uri), n.uri, n.annotations`,
  ),
  hitsOf: ([, , at, , title, uri, rawMarks], searchWords) =>
    marksIn(rawMarks).flatMap((mark) => {
      const words = wordsOfMark(mark);
      if (!searchWords.every((word) => foldText(words).includes(word))) return [];
      return [
        {
          ...{ kind: 'mark', id: String(uri), title: String(title), at: Number(at) },
          place: t('p. {0}', String(mark.page)),
          excerpt: cutExcerpt(words, searchWords),
          rectangles: mark.quads.map((quad) => quadRectangle(quad, mark.page)),
        },
      ];
    }),
  readText: ([, , , , , , rawMarks]) => marksIn(rawMarks).map(wordsOfMark).join('\n'),
};

function marksIn(json: unknown): Annotation[] {
  return readJson(annotationsByKey, json, []).flatMap(([, mark]) => mark ?? []);
}

function wordsOfMark({ words, remark }: Annotation): string {
  return [words, remark].filter((part) => part !== '').join(' – ');
}
