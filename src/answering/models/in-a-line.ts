/**
 * Whether something stands after something else in one line, as `/first.*then/` would find, in time that grows with the
 * text. `first` is found once a line: what may begin in several places should end at the first of them.
 */
export function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const found = first.exec(line);
    return found !== null && then.test(line.slice(found.index + found[0].length));
  });
}
