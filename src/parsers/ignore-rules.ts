import { readGitignore, type IgnoreVerdict } from './gitignore.ts';

/** Names of ignore files, as git and search tools use them, and our own. Later ones take precedence. */
export const IGNORE_FILES = ['.gitignore', '.ignore', '.notebookignore'] as const;

export type IgnoreFile = (typeof IGNORE_FILES)[number];

/** Ignore file above the folder: its text, and the folder's path relative to its directory, such as `packages/core`. */
export interface ParentIgnore {
  readonly text: string;
  readonly folder: string;
  readonly file?: IgnoreFile;
}

/**
 * Machine-generated files that are left out of a folder although git tracks them. A `.notebookignore` can include them
 * again.
 */
const FOR_MACHINES = `
.gitignore
.ignore
.notebookignore
.*ignore
.gitattributes
.gitmodules
.git-blame-ignore-revs
*.lock
*.lockfile
*.lockb
.terraform.lock.hcl
package-lock.json
npm-shrinkwrap.json
packages.lock.json
pnpm-lock.yaml
go.sum
*.map
*.min.js
*.min.mjs
*.min.css
*.tsbuildinfo
`;

/** Rules of one file; `say` expects paths relative to its directory. */
interface Rules {
  readonly file: IgnoreFile;
  readonly say: (path: string) => IgnoreVerdict;
  readonly pathWithin: (path: string) => string;
}

/** Ignore rules of a folder and its subfolders. Paths are relative to the folder; paths of directories end with `/`. */
export class IgnoreRules {
  readonly #rules: readonly Rules[];

  private constructor(rules: readonly Rules[]) {
    this.#rules = rules;
  }

  /** Returns the rules that apply to a folder from above, outermost first, and those for machine-generated files. */
  static from(parents: readonly ParentIgnore[], keepsMachineFiles: boolean): IgnoreRules {
    const defaults: Rules = {
      file: '.notebookignore',
      say: readGitignore(keepsMachineFiles ? '' : FOR_MACHINES),
      pathWithin: (path) => path,
    };
    const above = parents.flatMap(({ text, folder, file = '.gitignore' }): Rules[] => {
      const decide = readGitignore(text);
      if (folder === '') return [{ file, say: decide, pathWithin: (path) => path }];
      // A user who adds a folder that git ignores wants its contents.
      return decide(`${folder}/`) === 'ignored'
        ? []
        : [{ file, say: decide, pathWithin: (path) => `${folder}/${path}` }];
    });
    return new IgnoreRules([defaults, ...above]);
  }

  /** Returns these rules with those of a directory's own ignore files. */
  with(
    directory: string,
    files: readonly { readonly file: IgnoreFile; readonly text: string }[],
  ): IgnoreRules {
    if (files.length === 0) return this;
    const prefix = directory === '' ? 0 : directory.length + 1;
    const pathWithin = (path: string): string => path.slice(prefix);
    return new IgnoreRules([
      ...this.#rules,
      ...files.map(({ file, text }) => ({ file, say: readGitignore(text), pathWithin })),
    ]);
  }

  /**
   * Reports whether a path is ignored. As in git, the innermost file with a matching rule decides; kinds of ignore
   * files with precedence are checked first.
   */
  ignores(path: string): boolean {
    for (const file of IGNORE_FILES.toReversed())
      for (const { file: own, say: decide, pathWithin } of this.#rules.toReversed()) {
        const ruleResult = own === file ? decide(pathWithin(path)) : 'none';
        if (ruleResult !== 'none') return ruleResult === 'ignored';
      }
    return false;
  }
}

/** Reports whether a file of this name holds ignore rules. */
export function isIgnoreFile(name: string): name is IgnoreFile {
  return IGNORE_FILES.some((file) => file === name);
}
