/** Length in Unicode code points: what a person counts as characters, nearly, and what PostgreSQL counts in varchar(n). */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/** @param maximum in code points; twice as many units at most, so hostile lengths are told without reading them. */
export function isLongerThan(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > maximum * 2 || codePointLength(text) > maximum);
}

/** C0, DEL, C1, the line and paragraph separators, and the bidi embeddings, overrides and isolates (UAX #9) that reorder what stands beside a name. */
const CONTROL = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\u202A-\u202E\u2066-\u2069]/u;

/** Whether the text would break its line, or change what stands beside it. */
export const hasControls = (text: string): boolean => CONTROL.test(text);
