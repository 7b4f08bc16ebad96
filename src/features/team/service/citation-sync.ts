import * as v from 'valibot';
import { portableCitation } from '../../../index/library/portable-places.ts';
import { readCitedText } from '../../../index/library/read-citations.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { namedDocuments, localNumbers, type LocalContext } from './synced-entity.ts';

/** Citation as the team stores it, with the shared name of its document instead of the local number. */
export const sharedCitation = v.object({ citation: v.unknown(), documents: v.unknown() });

/** Returns a citation as the team stores it, with the shared name of its document. */
export function portableCited(local: LocalContext, citation: Citation): v.InferOutput<typeof sharedCitation> {
  return {
    citation: JSON.parse(JSON.stringify(portableCitation(citation, local.roots))) as unknown,
    documents: namedDocuments(local, [citation.documentId]),
  };
}

/** Turns a shared citation into a local one. @throws ValiError if it isn't a citation */
export function citationHere(
  local: LocalContext,
  { citation, documents }: v.InferOutput<typeof sharedCitation>,
): Citation | undefined {
  const read = { text: '', statements: [], citations: [citation] };
  return readCitedText(read, localNumbers(local, documents)).citations[0];
}
