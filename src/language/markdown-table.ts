/** Whether a line of Markdown is the row of a table, its header or the line below that included. */
export function isTableRow(line: string): boolean {
  return /^[ \t]*\|/.test(line);
}

/** Whether a line is the one between the header of a table and its rows. */
export function isTableRule(line: string): boolean {
  return /^[ \t]*\|[ \t|:-]*\r?$/.test(line) && line.includes('-');
}
