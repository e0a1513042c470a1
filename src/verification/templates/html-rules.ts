import { placeholdersIn } from './placeholders';

/**
 * What the HTML of a mail may be. Values stand in its text only, never in a tag or a style: a template could otherwise
 * hand each code to another server by the address of an image, to whoever may edit templates and nothing more. Hence a
 * grammar in which there is no doubt where a tag ends, in place of guessing how mail programs read sloppy markup.
 */
const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-z][a-z-]*(?:\s*=\s*"[^"<>]*")?)*)\s*\/?>/gi;
const STYLE = /<style(?:\s+[a-z]+="[^"<>]*")*\s*>([^<]*)<\/style\s*>/gi;
const ATTRIBUTE = /([a-z][a-z-]*)(?:\s*=\s*"([^"]*)")?/gi;
const DOCTYPE = /^\s*<!doctype html>/i;

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

const MOST_SHOWN = 40;

/** The first piece that a mail may not have; undefined: all is well. */
export function refusedHtml(html: string): string | undefined {
  const styles = Array.from(html.matchAll(STYLE), ([, style = '']) => style);
  const refusedStyle = styles.find((style) => FETCHING_STYLE.test(style) || placeholdersIn(style).length > 0);
  if (refusedStyle !== undefined) return shown(refusedStyle);

  const markup = html.replace(DOCTYPE, '').replace(STYLE, ' ');
  const refusedTag = Array.from(markup.matchAll(TAG)).find(
    ([, name = '', attributes = '']) => !isTag(name, attributes),
  );
  if (refusedTag) return shown(refusedTag[0]);

  // What is no tag of the grammar holds no bracket of one.
  const text = markup.replace(TAG, ' ');
  const bracket = text.search(/[<>]/);
  return bracket === -1 ? undefined : shown(text.slice(bracket));
}

/** What people read of it, tags and styles taken for space. */
export const textOfHtml = (html: string): string => html.replace(STYLE, ' ').replace(TAG, ' ');

function isTag(name: string, attributes: string): boolean {
  if (!ELEMENTS.has(name.toLowerCase()) || placeholdersIn(attributes).length > 0) return false;
  return Array.from(attributes.matchAll(ATTRIBUTE)).every(([, attribute = '', value = '']) =>
    isAttribute(attribute.toLowerCase(), value),
  );
}

function isAttribute(name: string, value: string): boolean {
  if (name.startsWith('on') || name === 'srcset' || name === 'http-equiv') return false;
  if (ADDRESSES.has(name)) return ADDRESS.test(value);
  return name !== 'style' || !FETCHING_STYLE.test(value);
}

const shown = (piece: string): string => piece.trim().slice(0, MOST_SHOWN);
