/** Table of plain text for a spreadsheet, with the name of its sheet. */
export interface PlainTable {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
