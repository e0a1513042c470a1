const CHANNELS = [1, 3, 5] as const;
/** WCAG 2.2, 1.4.3: text of normal size. */
const READABLE = 4.5;
const STEPS = 20;

type Rgb = readonly [number, number, number];

const parse = (hex: string): Rgb => CHANNELS.map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const format = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2's contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, index) => channel + ((to[index] ?? 0) - channel) * share) as unknown as Rgb;

/** The colour itself where it can be read on `background`, else the nearest shade of it that can. */
export function readableOn(background: string, color: string): string {
  const towards = parse(luminance(parse(background)) > 0.4 ? '#000000' : '#ffffff');
  for (let step = 0; step <= STEPS; step++) {
    const shade = format(mix(parse(color), towards, step / STEPS));
    if (contrast(background, shade) >= READABLE) return shade;
  }
  return format(towards);
}

/** Black or white, whichever is easier to read on the colour. */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= READABLE ? '#ffffff' : '#000000';
}

/** The least favourable that text stands on: the stripes of a table. */
const SURFACES = { light: '#f1f3f5', dark: '#33363d' } as const;

/** Gives the page the service's colour, as readable as it has to be in either scheme. */
export function applyAccent(color: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', color);
  style.setProperty('--on-accent', textOn(color));
  style.setProperty('--link-light', readableOn(SURFACES.light, color));
  style.setProperty('--link-dark', readableOn(SURFACES.dark, color));
}

const LIGHTER = [0.92, 0.82, 0.66, 0.48, 0.3, 0.14];
const DARKER = [0.14, 0.28, 0.4];

/** Ten shades from light to dark; the seventh is the colour itself. */
export function shadesOf(color: string): readonly string[] {
  const own = parse(color);
  const towards = (end: Rgb) => (share: number) => format(mix(own, end, share));
  return [...LIGHTER.map(towards([255, 255, 255])), color, ...DARKER.map(towards([0, 0, 0]))];
}
