export { zipOf } from '../../src/exporting/zip.ts';
