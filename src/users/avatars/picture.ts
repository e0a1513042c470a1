import { imageSize } from 'image-size';

/** The formats of uploaded pictures: by the end of the file name, the media type. */
export const mediaTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
export type PictureFormat = keyof typeof mediaTypes;

export interface Picture {
  readonly format: PictureFormat;
  readonly content: Buffer;
}

export const MAX_PICTURE_BYTES = 100_000;
export const MAX_PICTURE_SIDE = 256;
/** The characters of the largest picture in base64. */
export const MAX_ENCODED = 4 * Math.ceil(MAX_PICTURE_BYTES / 3);

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Long enough for the signature of each format. */
const SIGNATURE_BYTES = 12;
const SIGNATURES: Readonly<Record<PictureFormat, RegExp>> = {
  png: /^\x89PNG\r\n/,
  jpg: /^\xff\xd8\xff/,
  webp: /^RIFF[^]{4}WEBP/,
};

/** Judges a picture by its bytes. Returns the picture, or the code of the rule that it breaks. */
export function readPicture(encoded: string): Picture | 'base64' | 'picture_format' | 'picture_size' {
  if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) return 'base64';
  const content = Buffer.from(encoded, 'base64');
  const format = formatOf(content);
  const side = format && longestSide(content);
  if (format === undefined || side === undefined) return 'picture_format';
  return side > MAX_PICTURE_SIDE || content.length > MAX_PICTURE_BYTES ? 'picture_size' : { format, content };
}

function formatOf(content: Buffer): PictureFormat | undefined {
  const start = content.toString('latin1', 0, SIGNATURE_BYTES);
  return (Object.keys(SIGNATURES) as PictureFormat[]).find((format) => SIGNATURES[format].test(start));
}

/** In pixels; undefined for a picture without a size. */
function longestSide(content: Buffer): number | undefined {
  try {
    const { width, height } = imageSize(content);
    return width > 0 && height > 0 ? Math.max(width, height) : undefined;
  } catch {
    return undefined;
  }
}
