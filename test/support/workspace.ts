import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from './server.mjs';

/** A temporary folder that a window opens. */
export interface Workspace {
  /** Its absolute path. */
  readonly folder: string;
  /** The absolute path of a file in it. */
  path(name: string): string;
  /** Writes a file, and the folders above it. */
  write(name: string, content: string | Uint8Array): void;
  /** Reads a text file. */
  read(name: string): string;
  /** Removes a file or a folder. */
  remove(name: string): void;
  /** Copies a file or folder from anywhere into it. */
  copy(from: string, name: string): void;
  /** Removes the whole folder. */
  dispose(): void;
}

/** Makes a workspace out of files, by their names relative to it. */
export function makeWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workspace {
  const home = makeTemporaryFolder('nb-ws-');
  const folder = join(home, 'workspace');
  mkdirSync(folder);
  const path = (name: string): string => join(folder, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    folder,
    path,
    write,
    read: (name) => readFileSync(path(name), 'utf8'),
    remove: (name) => {
      rmSync(path(name), { recursive: true });
    },
    copy: (from, name) => {
      cpSync(from, path(name), { recursive: true });
    },
    dispose: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
