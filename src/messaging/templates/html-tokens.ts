export type HtmlToken =
  | { readonly kind: 'text'; readonly piece: string }
  | { readonly kind: 'style'; readonly piece: string; readonly attributes: string; readonly style: string }
  | { readonly kind: 'start' | 'end'; readonly piece: string; readonly name: string; readonly attributes: string };

const DOCTYPE = /^\s*<!doctype html>/i;
// White space in tags as the HTML standard defines it (§13.2.5). Other white space would be part of a name.
const STYLE = /<style((?:[\t\n\f\r ]+[a-z]+="[^"<>]*")*)[\t\n\f\r ]*>([^<]*)<\/style[\t\n\f\r ]*>/;
const TAG =
  /<(\/?)([a-z][a-z0-9]*)((?:[\t\n\f\r ]+[a-z][a-z-]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*"[^"<>]*")?)*)[\t\n\f\r ]*\/?>/;
const TOKEN = new RegExp(`${STYLE.source}|${TAG.source}`, 'gi');

/**
 * Tokenizes in one pass, so that no piece is both a style and an attribute. Anything outside of the grammar is text.
 */
export function htmlTokens(html: string): HtmlToken[] {
  const markup = html.replace(DOCTYPE, '');
  const tokens: HtmlToken[] = [];
  let end = 0;
  for (const match of markup.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'text', piece: markup.slice(end, match.index) });
    tokens.push(tokenOf(match));
    end = match.index + match[0].length;
  }
  if (end < markup.length) tokens.push({ kind: 'text', piece: markup.slice(end) });
  return tokens;
}

function tokenOf([piece, styleAttributes = '', style, slash, name = '', attributes = '']: RegExpMatchArray): HtmlToken {
  if (style !== undefined) return { kind: 'style', piece, attributes: styleAttributes, style };
  return { kind: slash === '/' ? 'end' : 'start', piece, name: name.toLowerCase(), attributes };
}
