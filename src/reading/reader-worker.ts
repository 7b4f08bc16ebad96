import { writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { t } from '@vscode/l10n';
import { watchMemory } from '../messages/memory-watch.ts';
import { portOfParentProcess } from '../messages/node-port.ts';
import { connect } from '../messages/rpc.ts';
import { takeTranslation } from '../messages/translation.ts';
import { NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import { openRegularFile, readStart } from '../notebook/regular-file.ts';
import type { ReaderApi, ReadRequest, ReadResult } from './api.ts';
import { setGrammarResources } from './code/grammars.ts';
import { contentHash } from './content-hash.ts';
import { readableLength } from './file-types.ts';
import { pictureIn } from './file-pictures.ts';
import { readKnowledge } from './knowledge-base.ts';
import { outliveStrayRejections, setPdfResources } from './pdf/engine.ts';
import { readDocument, type ReadContext } from './registry.ts';
import { readSitePage } from './sites/read-site-page.ts';
import { readSiteList } from './sites/site-lists.ts';

/** A reader is asked and asks nothing itself. */
type NoProcedures = Record<string, never>;

const here = dirname(fileURLToPath(import.meta.url));
setPdfResources(join(here, 'pdfjs'));
setGrammarResources(join(here, 'grammars'));
outliveStrayRejections();
watchMemory(Number(process.argv[2]));
yieldToOthers();
process.once('disconnect', () => {
  process.exit();
});
// What comes first is in which language to speak.
process.once('message', takeTranslation);

connect<ReaderApi, NoProcedures>(portOfParentProcess(), {
  read,
  readPicture: async ({ content, name, mediaType, picture }) => {
    const bytes = content.kind === 'bytes' ? content.bytes : (await bytesOfFile(content.path, name)).bytes;
    return pictureIn(bytes, name, mediaType, picture);
  },
  readKnowledge: async ({ content, name, minimumLength }) => {
    if (content.kind === 'bytes') return readKnowledge(content.bytes, name, minimumLength);
    const { bytes, byteLength } = await bytesOfFile(content.path, name);
    if (bytes.length < byteLength)
      throw new NotebookError(
        'too-large',
        t('{0} is too large to be imported; split it into smaller files.', name),
      );
    return readKnowledge(bytes, name, minimumLength);
  },
  readSitePage,
  readSiteList,
});

/** The editor goes first where there is not enough time or memory for all. */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // It reads as well without.
  }
}

async function read(request: ReadRequest, context: ReadContext): Promise<ReadResult> {
  const { content, name, mediaType, pageUrl, knownHash, minimumLength, password } = request;
  const { bytes, byteLength } =
    content.kind === 'bytes'
      ? { bytes: content.bytes, byteLength: content.bytes.length }
      : await bytesOfFile(content.path, name);
  throwIfCancelled(context.signal);
  const hash = contentHash(bytes);
  if (hash === knownHash) return { kind: 'unchanged' };
  const document = await readDocument(
    { bytes, byteLength, name, mediaType, pageUrl, minimumLength, password },
    context,
  );
  return { kind: 'read', hash, document };
}

/** The bytes of a file, which is looked at before it is read: of a huge one only the beginning comes into memory. */
async function bytesOfFile(
  path: string,
  name: string,
): Promise<{ readonly bytes: Uint8Array; readonly byteLength: number }> {
  let file: FileHandle | undefined;
  try {
    file = await openRegularFile(path, { name });
    const stats = await file.stat();
    const head = await readStart(file, Math.min(stats.size, 64 * 1024));
    const length = readableLength(name, stats.size, head);
    return { bytes: await readStart(file, length), byteLength: stats.size };
  } catch (error) {
    throw fileError(error, name);
  } finally {
    await file?.close();
  }
}

function fileError(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new NotebookError(
        'not-found',
        t('{0} is no longer there; remove it, or put the file back and refresh.', name),
        {
          cause: error,
        },
      );
    case 'EACCES':
    case 'EPERM':
      return new NotebookError('forbidden', t('{0} may not be read; check its permissions.', name), {
        cause: error,
      });
    default:
      return error;
  }
}
