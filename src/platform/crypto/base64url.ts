/**
 * Decodes canonical base64url without padding (RFC 4648 §5). Returns undefined for anything else: each byte string has
 * one spelling, so a changed character never decodes to the same bytes.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
