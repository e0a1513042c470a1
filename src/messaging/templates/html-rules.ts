import { misplacedPiece } from './html-nesting';
import { HtmlToken, htmlTokens } from './html-tokens';
import { placeholdersIn } from './placeholders';

/**
 * The HTML that a mail may contain. Placeholders may appear in text only, never in a tag or a style: otherwise an
 * editor of templates could send every code to a foreign server in the URL of an image. The grammar is strict, because
 * mail programs parse ambiguous markup differently.
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
/** Loads something, or hides that it does. */
const FETCHING_STYLE = /url\s*\(|@import|@font-face|image-set|expression\s*\(|\\/i;

/** Elements that do not separate words: text on both sides of their tags is read, and linked, as one word. */
const INLINE = new Set('span a img strong b em i u s small sub sup code'.split(' '));

/** Numeric references may lack the semicolon. So may some old names, but none that form links or styles. */
const REFERENCE = /&(?:#(\d+);?|#x([0-9a-f]+);?|([a-z][a-z0-9]*);)/gi;
/** The HTML standard's names (§13.5) of white space and of the characters that form links or loading styles. */
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
/** Replaces any other named reference. It neither starts a link nor separates words. */
const SOME_CHARACTER = '·';
const HIGHEST_CODE_POINT = 0x10ffff;

const MAX_SHOWN = 40;

/** The first forbidden piece of the HTML. Undefined if there is none. */
export function forbiddenHtml(html: string): string | undefined {
  const tokens = htmlTokens(html);
  const [forbidden = misplacedPiece(tokens)] = tokens.flatMap((token) => forbiddenPieceOf(token) ?? []);
  return forbidden === undefined ? undefined : shown(forbidden);
}

/** The text as readers see it, for link detection: everything that separates words becomes a space. */
export function textOfHtml(html: string): string {
  return withoutReferences(htmlTokens(html).map(textOf).join(''));
}

function textOf(token: HtmlToken): string {
  if (token.kind === 'text') return token.piece;
  return token.kind === 'style' || INLINE.has(token.name) ? '' : ' ';
}

function forbiddenPieceOf(token: HtmlToken): string | undefined {
  // Text must not contain a bracket, because a tag outside of the grammar is parsed as text.
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
