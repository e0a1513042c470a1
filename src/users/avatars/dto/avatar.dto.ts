import { TextField } from '../../../platform/http/input';
import { MAX_ENCODED, readPicture } from '../picture';

function checkPicture(value: string): string | undefined {
  const read = readPicture(value);
  return typeof read === 'string' ? read : undefined;
}

export class UploadAvatarDto {
  @TextField({
    description: 'A PNG, JPEG or WebP picture in base64, at most 256 × 256 pixels and 100,000 bytes',
    min: 1,
    max: MAX_ENCODED,
    format: 'byte',
    check: checkPicture,
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  })
  picture: string;
}
