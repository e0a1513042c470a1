/** At-rules that load nothing. */
const AT_RULES: ReadonlySet<string> = new Set(['media', 'supports', 'keyframes', 'layer', 'container']);

/** Functions that load nothing and read nothing from the page. Selectors, colours, sizes, shapes, movements, filters. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  [
    'not is where has nth-child nth-last-child nth-of-type nth-last-of-type lang dir',
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark',
    'linear-gradient radial-gradient conic-gradient',
    'repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient',
    'var env calc min max clamp round minmax repeat fit-content',
    'circle ellipse inset polygon',
    'translate translatex translatey translatez translate3d scale scalex scaley scale3d perspective',
    'rotate rotatex rotatey rotatez rotate3d skew skewx skewy matrix matrix3d',
    'cubic-bezier steps linear',
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
  ].flatMap((names) => names.split(' ')),
);

const AT_RULE = /@([-\w\u0080-\uffff]*)/g;
/** A function token: a name with a parenthesis right after it (CSS Syntax §4.3.4). */
const FUNCTION = /(?<![-\w\u0080-\uffff])([-\w\u0080-\uffff]+)\(/g;
const INLINE_IMAGE = /^url\(\s*(["']?)data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,][^"'()\s]*\1\s*\)/i;

const namesIn = (css: string, pattern: RegExp): string[] =>
  Array.from(css.matchAll(pattern), ([, name = '']) => name.toLowerCase());

const loadsOtherUrls = (css: string): boolean =>
  Array.from(css.matchAll(/url\(/gi)).some(({ index }) => !INLINE_IMAGE.test(css.slice(index)));

/**
 * Returns the code of the violated rule. CSS may use only what is listed here, so that it makes a login page load
 * nothing: a request could reveal what a rule matches. Comments and strings count like the rest, and escapes are
 * rejected, so each name that a browser reads is found as it is written. The preview of unsaved CSS checks by it, too.
 */
export function checkCustomCss(css: string): string | undefined {
  if (css.includes('\\')) return 'css_escape';
  if (!namesIn(css, AT_RULE).every((name) => AT_RULES.has(name))) return 'css_at_rule';
  if (loadsOtherUrls(css)) return 'css_url';
  const isKnown = (name: string): boolean => name === 'url' || FUNCTIONS.has(name);
  return namesIn(css, FUNCTION).every(isKnown) ? undefined : 'css_function';
}
