/** Luminance above which black is more readable than white (WCAG 2.2, relative luminance). */
const BRIGHT = 0.183;

const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);

/**
 * Black or white, whichever is more readable on the colour.
 *
 * @param color `#rrggbb`.
 */
export function textColorOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BRIGHT ? '#000' : '#fff';
}
