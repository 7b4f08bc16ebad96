import { anyNames, matchesPath, readPath, type PathPattern } from './globs.ts';

/** So many characters of an ignore file's patterns count: more than any has, and little enough for every path. */
const MOST_CHARACTERS = 50_000;

/** A longer line is none. */
const LONGEST_LINE = 1_000;

/** How many directories are kept in mind with what became of them. */
const MOST_DIRECTORIES = 1_000;

interface Rule {
  readonly isNegated: boolean;
  readonly ofDirectories: boolean;
  /** Of the name alone, wherever it is; else of the path. */
  readonly ofNames: boolean;
  readonly pattern: PathPattern;
}

/** What the rules of a file say of a path; `none` where nothing does. */
export type Said = 'ignored' | 'kept' | 'none';

/** Returns the rule of an ignore file that names one file or folder, by its path from the file's directory. */
export function ignoreRule(path: string, isDirectory: boolean): string {
  const escaped = path.replaceAll(/[\\*?[]/g, String.raw`\$&`).replace(/ $/, String.raw`\ `);
  return `/${escaped}${isDirectory ? '/' : ''}`;
}

/**
 * The rules of one `.gitignore`, as gitignore(5) tells them, whatever the case of letters. Asked with a path relative to
 * the file's directory, those of directories with `/` at their end.
 */
export function readGitignore(text: string): (path: string) => Said {
  const rules = rulesIn(text);
  const directories = new Map<string, Said>();

  /** What the last rule says that fits a path, without what is said of the directories above. */
  const judge = (names: readonly string[], isDirectory: boolean): Said => {
    const name = names.slice(-1);
    const last = rules.findLast(
      ({ ofDirectories, ofNames, pattern }) =>
        (isDirectory || !ofDirectories) && matchesPath(pattern, ofNames ? name : names),
    );
    return last === undefined ? 'none' : last.isNegated ? 'kept' : 'ignored';
  };

  const sayOfDirectory = (path: string, names: readonly string[]): Said => {
    const said = directories.get(path) ?? judge(names, true);
    if (directories.size >= MOST_DIRECTORIES) directories.clear();
    directories.set(path, said);
    return said;
  };

  if (rules.length === 0) return () => 'none';
  return (written) => {
    const path = written.toLowerCase();
    const isDirectory = path.endsWith('/');
    const names = (isDirectory ? path.slice(0, -1) : path).split('/');
    let end = 0;
    // What is in an ignored directory is ignored, whatever rules say of it.
    for (let depth = 1; depth < names.length; depth++) {
      end = path.indexOf('/', end) + 1;
      if (sayOfDirectory(path.slice(0, end), names.slice(0, depth)) === 'ignored') return 'ignored';
    }
    return isDirectory ? sayOfDirectory(path, names) : judge(names, false);
  };
}

function rulesIn(text: string): Rule[] {
  const rules: Rule[] = [];
  let left = MOST_CHARACTERS;
  for (const line of ruleLines(text)) {
    if (line.length > LONGEST_LINE) continue;
    left -= line.length;
    if (left < 0) break;
    const rule = readRule(line.toLowerCase());
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** The lines that may hold a rule, as far as they count. */
function* ruleLines(text: string): Generator<string> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
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
  // A last backslash has nothing to stand before.
  if (path === '' || isEscaped(path, path.length)) return undefined;
  const ofNames = !path.includes('/');
  const pattern = readPath(path.startsWith('/') ? path.slice(1) : path, 'nothing');
  // All that is in a directory is not the directory itself.
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

/** Whether a backslash stands before a place that is not itself one of a pair. */
function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}
