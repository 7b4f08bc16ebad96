export { makeZip as zipOf } from '../../src/exporting/zip.ts';
