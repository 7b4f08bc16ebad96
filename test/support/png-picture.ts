import { crc32, deflateSync } from 'node:zlib';

/** Returns a white PNG image with a given size and an optional title. */
export function pngPicture(width: number, height: number, title?: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of gray per pixel.
  head.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(width + 1, 255);
  row[0] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(title === undefined ? [] : [chunk('tEXt', Buffer.from(`Title\0${title}`, 'latin1'))]),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
