export type HtmlToken =
  | { readonly kind: 'text'; readonly piece: string }
  | { readonly kind: 'style'; readonly piece: string; readonly attributes: string; readonly style: string }
  | { readonly kind: 'start' | 'end'; readonly piece: string; readonly name: string; readonly attributes: string };

const DOCTYPE = /^\s*<!doctype html>/i;
// White space of tags is that of the HTML standard (§13.2.5): any other would be a part of a name.
const STYLE = /<style((?:[\t\n\f\r ]+[a-z]+="[^"<>]*")*)[\t\n\f\r ]*>([^<]*)<\/style[\t\n\f\r ]*>/;
const TAG =
  /<(\/?)([a-z][a-z0-9]*)((?:[\t\n\f\r ]+[a-z][a-z-]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*"[^"<>]*")?)*)[\t\n\f\r ]*\/?>/;
const TOKEN = new RegExp(`${STYLE.source}|${TAG.source}`, 'gi');

/** In one pass, so that nothing is a style here and an attribute there; what is no tag is text, brackets and all. */
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
