import { misplacedPiece } from './html-nesting';
import { HtmlToken, htmlTokens } from './html-tokens';
import { placeholdersIn } from './placeholders';

/**
 * The HTML that a mail may contain. Values appear in text only, never in a tag or a style: otherwise an editor of
 * templates
 * could send each code to a foreign server by the address of an image. So the grammar leaves no doubt where a tag ends,
 * instead of guessing how mail programs parse sloppy markup.
 */
const ATTRIBUTE = /([a-z][a-z-]*)(?:\s*=\s*"([^"]*)")?/gi;

const ELEMENTS = new Set(
  (
    'html head meta title body div span p a img br hr h1 h2 h3 h4 h5 h6 strong b em i u s small sub sup center ' +
    'table caption thead tbody tfoot tr th td ul ol li dl dt dd blockquote pre code'
  ).split(' '),
);
const ADDRESSES = new Set(['href', 'src', 'background']);
const ADDRESS = /^(?:https:\/\/[^\s\\]+|mailto:[^\s\\]+|#[\w-]*)$/i;
/** Fetches something, or hides that it does. */
const FETCHING_STYLE = /url\s*\(|@import|@font-face|image-set|expression\s*\(|\\/i;

/** They do not separate words: text on both sides of their tags is read, and linked, as one word. */
const INLINE = new Set('span a img strong b em i u s small sub sup code'.split(' '));

/** Numbers end without a semicolon, too; of names only old ones do, and none of those is of a link or a style. */
const REFERENCE = /&(?:#(\d+);?|#x([0-9a-f]+);?|([a-z][a-z0-9]*);)/gi;
/** The characters that make links or fetching styles, and white space, by the names of the HTML standard (§13.5). */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['AMP', '&'],
  ['NewLine', '\n'],
  ['NonBreakingSpace', ' '],
  ['Tab', '\t'],
  ['UnderBar', '_'],
  ['amp', '&'],
  ['bsol', '\\'],
  ['colon', ':'],
  ['commat', '@'],
  ['equals', '='],
  ['fjlig', 'fj'],
  ['lowbar', '_'],
  ['lpar', '('],
  ['nbsp', ' '],
  ['num', '#'],
  ['percnt', '%'],
  ['period', '.'],
  ['plus', '+'],
  ['quest', '?'],
  ['sol', '/'],
]);
/** Of any other name: it begins no link and parts no words. */
const SOME_CHARACTER = '·';
const HIGHEST_CODE_POINT = 0x10ffff;

const MAX_SHOWN = 40;

/** The first piece that a mail may not have; undefined: all is well. */
export function refusedHtml(html: string): string | undefined {
  const tokens = htmlTokens(html);
  const [refused = misplacedPiece(tokens)] = tokens.flatMap((token) => refusedOf(token) ?? []);
  return refused === undefined ? undefined : shown(refused);
}

/** What people read of it, as far as links are made of it: what parts words is a space. */
export function textOfHtml(html: string): string {
  return withoutReferences(htmlTokens(html).map(textOf).join(''));
}

function textOf(token: HtmlToken): string {
  if (token.kind === 'text') return token.piece;
  return token.kind === 'style' || INLINE.has(token.name) ? '' : ' ';
}

function refusedOf(token: HtmlToken): string | undefined {
  // What is no tag of the grammar holds no bracket of one.
  if (token.kind === 'text') return /[<>][^]*/.exec(token.piece)?.[0];
  const isAllowed = token.kind === 'style' ? isStyle(token.style) : ELEMENTS.has(token.name);
  return isAllowed && areAttributes(token.attributes) ? undefined : token.piece;
}

const isStyle = (style: string): boolean => !FETCHING_STYLE.test(style) && placeholdersIn(style).length === 0;

function areAttributes(attributes: string): boolean {
  if (placeholdersIn(attributes).length > 0) return false;
  return Array.from(attributes.matchAll(ATTRIBUTE)).every(([, attribute = '', value = '']) =>
    isAttribute(attribute.toLowerCase(), value),
  );
}

function isAttribute(name: string, value: string): boolean {
  if (name.startsWith('on') || name === 'srcset' || name === 'http-equiv') return false;
  if (ADDRESSES.has(name)) return ADDRESS.test(value);
  return name !== 'style' || !FETCHING_STYLE.test(withoutReferences(value));
}

function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (_, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
    if (hex !== undefined) return character(Number.parseInt(hex, 16));
    return NAMED.get(name ?? '') ?? SOME_CHARACTER;
  });
}

const character = (codePoint: number): string => String.fromCodePoint(Math.min(codePoint, HIGHEST_CODE_POINT));

const shown = (piece: string): string => piece.trim().slice(0, MAX_SHOWN);
