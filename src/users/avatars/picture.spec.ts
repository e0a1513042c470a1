import { encoded, jpeg, png, webp } from '../../../test/support/accounts/pictures';
import { MAX_PICTURE_BYTES, readPicture } from './picture';

describe('readPicture', () => {
  it.each([
    ['png', png(256, 256)],
    ['jpg', jpeg(256, 1)],
    ['webp', webp(1, 256)],
  ])('accepts %s up to the largest size', (format, content) => {
    expect(readPicture(encoded(content))).toEqual({ format, content });
  });

  it.each([
    ['a wide PNG', png(257, 1)],
    ['a high PNG', png(1, 257)],
    ['a wide JPEG', jpeg(257, 1)],
    ['a high JPEG', jpeg(1, 257)],
    ['a wide WebP', webp(257, 1)],
    ['a high WebP', webp(1, 257)],
    ['too many bytes', png(1, 1, MAX_PICTURE_BYTES + 1)],
  ])('rejects %s for its size', (_, content) => {
    expect(readPicture(encoded(content))).toBe('picture_size');
  });

  it('accepts as many bytes as allowed', () => {
    expect(readPicture(encoded(png(1, 1, MAX_PICTURE_BYTES)))).toMatchObject({ format: 'png' });
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PNG signature alone', png(1, 1).subarray(0, 8)],
    ['a JPEG signature alone', jpeg(1, 1).subarray(0, 4)],
    ['a WebP signature alone', webp(1, 1).subarray(0, 12)],
    ['a PNG without width', png(0, 1)],
  ])('rejects %s for its format', (_, content) => {
    expect(readPicture(encoded(content))).toBe('picture_format');
  });

  it.each(['iVBORw0KGg', 'iVBO Rw0', 'iVBO-w0_', '====', ''])('rejects %j as base64', (text) => {
    expect(readPicture(text)).toBe('base64');
  });
});
