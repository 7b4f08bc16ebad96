/** Reports whether a request asks a model for searches rather than for an answer. */
export function isForSearches(messages: readonly { readonly content: string }[]): boolean {
  return messages[0]?.content.startsWith('You write searches for a notebook of documents.') === true;
}
