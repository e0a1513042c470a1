/** Minimum contrast of normal text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;
const STEPS = 20;

type Rgb = readonly [number, number, number];

const channelAt = (hex: string, at: number): number => parseInt(hex.slice(at, at + 2), 16);
const parse = (hex: string): Rgb => [channelAt(hex, 1), channelAt(hex, 3), channelAt(hex, 5)];
const format = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [first, second] = [luminance(parse(one)), luminance(parse(other))];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share;
const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  between(from[0], to[0], share),
  between(from[1], to[1], share),
  between(from[2], to[2], share),
];

/** Returns the colour if it is readable on `background`, else the nearest readable shade. */
export function readableOn(background: string, color: string): string {
  const towards = parse(luminance(parse(background)) > 0.4 ? '#000000' : '#ffffff');
  for (let step = 0; step <= STEPS; step++) {
    const shade = format(mix(parse(color), towards, step / STEPS));
    if (contrast(background, shade) >= READABLE) return shade;
  }
  return format(towards);
}

/** Returns black or white, whichever is more readable on the colour. */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= READABLE ? '#ffffff' : '#000000';
}

/** Table stripes, the background with the least contrast to text. */
const SURFACES = { light: '#f1f3f5', dark: '#33363d' } as const;

/** Applies the service's colour to the page, with readable shades for both colour schemes. */
export function applyAccent(color: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', color);
  style.setProperty('--on-accent', textOn(color));
  style.setProperty('--link-light', readableOn(SURFACES.light, color));
  style.setProperty('--link-dark', readableOn(SURFACES.dark, color));
}

const LIGHT: Rgb = [255, 255, 255];
const DARK: Rgb = [0, 0, 0];
type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/**
 * Returns ten shades from light to dark. The seventh is the colour itself, and the eighth replaces it under the pointer:
 * there the text must stay readable.
 */
export function shadesOf(color: string): Shades {
  const own = parse(color);
  const lighter = (share: number): string => format(mix(own, LIGHT, share));
  const darker = (share: number): string => format(mix(own, DARK, share));
  return [
    lighter(0.92),
    lighter(0.82),
    lighter(0.66),
    lighter(0.48),
    lighter(0.3),
    lighter(0.14),
    color,
    textOn(color) === '#000000' ? lighter(0.14) : darker(0.14),
    darker(0.28),
    darker(0.4),
  ];
}
