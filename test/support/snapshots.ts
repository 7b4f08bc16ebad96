import { Checksum, SnapshotReader, SnapshotWriter } from '../../src/index/search/lexical/snapshot-arrays.ts';

/** Returns a reader of a snapshot with what `write` writes. */
export function saveAndRead(write: (writer: SnapshotWriter) => void): SnapshotReader {
  const writer = new SnapshotWriter(1);
  write(writer);
  const checksum = new Checksum();
  for (const part of writer.parts()) checksum.add(part);
  return new SnapshotReader(Buffer.concat([...writer.parts(), checksum.trailer()]));
}
