import { annotationsByKey } from '../../../core/domain/stored-annotations.ts';
import { json, text, type RecoverableRows } from '../../../index/store/database/column-rules.ts';

/** Annotations of PDF files in a damaged database. */
export const recoverableAnnotations: RecoverableRows = {
  rules: {
    file_annotations: { uri: text, annotations: json(annotationsByKey) },
  },
};
