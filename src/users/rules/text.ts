/** Length in Unicode code points: what a person counts as characters, nearly, and what PostgreSQL counts in varchar(n). */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}
