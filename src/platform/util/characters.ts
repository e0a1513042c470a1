/** Length in Unicode code points: close to what people count, and what PostgreSQL counts in varchar(n). */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/**
 * @param maximum in code points. A text has at most twice as many units, so the length of hostile texts is checked
 * first.
 */
export function isLongerThan(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > maximum * 2 || codePointLength(text) > maximum);
}

/**
 * C0, DEL, C1, line and paragraph separators, and the bidi embeddings, overrides and isolates (UAX #9), which reorder
 * the text next to a name.
 */
const CONTROL = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\u202A-\u202E\u2066-\u2069]/u;

/** Whether the text has characters that break a line or reorder the text next to it. */
export const hasControls = (text: string): boolean => CONTROL.test(text);

const BREAKS = /[\t\n\v\f\r\u0085\p{Line_Separator}\p{Paragraph_Separator}]+/gu;

/**
 * The text without characters that reorder the text next to it, and with spaces for those that break a line. Joiners
 * stay: they belong to letters.
 */
export const withoutControls = (text: string): string =>
  text.replace(BREAKS, ' ').replaceAll(new RegExp(CONTROL, 'gu'), '');
