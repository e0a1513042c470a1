import { createHash, createHmac } from 'node:crypto';

/** HMAC-SHA-256, for signed requests to other APIs. Use `SecretBox.mac` for our own digests. */
export function hmacSha256(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** SHA-256 in lower-case hexadecimal, for signed requests to other APIs. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
