import { anyNames, matchesPath, readPath, type PathPattern } from './globs.ts';

/**
 * Maximum number of characters of an ignore file's patterns: more than any file has, few enough to match every path.
 */
const MAX_CHARACTERS = 50_000;

/** Maximum length of a rule. Longer lines are ignored. */
const MAX_LINE_LENGTH = 1_000;

/** Maximum number of directories whose verdict is cached. */
const MAX_DIRECTORIES = 1_000;

interface Rule {
  readonly isNegated: boolean;
  readonly ofDirectories: boolean;
  /** `true` if the pattern matches the name alone, at any depth; else it matches the path. */
  readonly ofNames: boolean;
  readonly pattern: PathPattern;
}

/** Verdict of a file's rules on a path; `none` if no rule matches. */
export type IgnoreVerdict = 'ignored' | 'kept' | 'none';

/** Returns the rule of an ignore file that names one file or folder, by its path from the file's directory. */
export function ignoreRule(path: string, isDirectory: boolean): string {
  const escaped = path.replaceAll(/[\\*?[]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `);
  return `/${escaped}${isDirectory ? '/' : ''}`;
}

/**
 * Returns a function that applies the rules of one `.gitignore` as in gitignore(5), ignoring case. The function accepts
 * a path relative to the file's directory; paths of directories end with `/`.
 */
export function readGitignore(text: string): (path: string) => IgnoreVerdict {
  const rules = rulesIn(text);
  const directories = new Map<string, IgnoreVerdict>();

  /** Returns the verdict of the last rule that matches a path, without the verdicts on its parent directories. */
  const judge = (names: readonly string[], isDirectory: boolean): IgnoreVerdict => {
    const name = names.slice(-1);
    const last = rules.findLast(
      ({ ofDirectories, ofNames, pattern }) =>
        (isDirectory || !ofDirectories) && matchesPath(pattern, ofNames ? name : names),
    );
    return last === undefined ? 'none' : last.isNegated ? 'kept' : 'ignored';
  };

  const sayOfDirectory = (path: string, names: readonly string[]): IgnoreVerdict => {
    const ruleResult = directories.get(path) ?? judge(names, true);
    if (directories.size >= MAX_DIRECTORIES) directories.clear();
    directories.set(path, ruleResult);
    return ruleResult;
  };

  if (rules.length === 0) return () => 'none';
  return (written) => {
    const path = written.toLowerCase();
    const isDirectory = path.endsWith('/');
    const names = (isDirectory ? path.slice(0, -1) : path).split('/');
    let end = 0;
    // Everything in an ignored directory is ignored, whatever other rules say.
    for (let depth = 1; depth < names.length; depth++) {
      end = path.indexOf('/', end) + 1;
      if (sayOfDirectory(path.slice(0, end), names.slice(0, depth)) === 'ignored') return 'ignored';
    }
    return isDirectory ? sayOfDirectory(path, names) : judge(names, false);
  };
}

function rulesIn(text: string): Rule[] {
  const rules: Rule[] = [];
  let remainingCharacters = MAX_CHARACTERS;
  for (const line of ruleLines(text)) {
    if (line.length > MAX_LINE_LENGTH) continue;
    remainingCharacters -= line.length;
    if (remainingCharacters < 0) break;
    const rule = readRule(line.toLowerCase());
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** Yields the lines that can hold a rule. */
function* ruleLines(text: string): Generator<string> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    if (line !== '' && !line.startsWith('#')) yield line;
    start = end + 1;
  }
}

function readRule(line: string): Rule | undefined {
  const isNegated = line.startsWith('!');
  const written = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
  const ofDirectories = written.endsWith('/');
  const path = ofDirectories ? written.slice(0, -1) : written;
  // A trailing backslash escapes nothing, so the rule isn't valid.
  if (path === '' || isEscaped(path, path.length)) return undefined;
  const ofNames = !path.includes('/');
  const pattern = readPath(path.startsWith('/') ? path.slice(1) : path, 'nothing');
  // The contents of a directory don't include the directory itself.
  const isOfContent = pattern.length > 1 && pattern.at(-1) === anyNames;
  return {
    isNegated,
    ofDirectories,
    ofNames,
    pattern: isOfContent ? [...pattern, ...readPath('*', 'nothing')] : pattern,
  };
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  return line.slice(0, isEscaped(line, end) ? end + 1 : end);
}

/** Reports whether the character at a position is escaped: after an odd number of backslashes. */
function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}
