/** CSL processor by Frank Bennett, which has no types. */
declare module 'citeproc' {
  interface CitationItem {
    readonly id: string;
    readonly prefix?: string;
    readonly suffix?: string;
    readonly locator?: string;
    readonly label?: string;
    readonly 'suppress-author'?: boolean;
  }
  interface Engine {
    readonly opt: { readonly xclass: 'in-text' | 'note' };
    setOutputFormat(name: string): void;
    updateItems(ids: readonly string[]): void;
    rebuildProcessorState(
      citations: readonly {
        readonly citationID: string;
        readonly citationItems: readonly CitationItem[];
        readonly properties: { readonly noteIndex: number };
      }[],
      format: string,
    ): readonly (readonly [id: string, note: number, text: string])[];
    makeBibliography(): readonly [unknown, readonly string[]] | false;
  }
  const CSL: {
    readonly Engine: new (
      system: { retrieveItem(id: string): object; retrieveLocale(language: string): string | false },
      style: string,
      language: string,
      isForced?: boolean,
    ) => Engine;
    readonly Output: { readonly Formats: Record<string, object> };
  };
  export default CSL;
}
