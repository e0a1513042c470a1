const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A PNG picture of this size with the given number of bytes, up to where a reader of sizes looks. */
export function png(width: number, height: number, bytes = 60): Buffer {
  const header = Buffer.alloc(bytes);
  ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc00011080000000003012200021101031101ffd9',
    'hex',
  );
  frame.writeUInt16BE(height, 25);
  frame.writeUInt16BE(width, 27);
  return frame;
}

export function webp(width: number, height: number): Buffer {
  const picture = Buffer.alloc(30);
  ascii('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0').copy(picture);
  picture.writeUIntLE(width - 1, 24, 3);
  picture.writeUIntLE(height - 1, 27, 3);
  return picture;
}

export const encoded = (picture: Buffer): string => picture.toString('base64');
