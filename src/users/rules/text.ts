/** Whether the text is free of lone surrogates, which UTF-8 and PostgreSQL cannot hold. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Length in Unicode code points: what a person counts as characters, nearly, and what PostgreSQL counts in varchar(n). */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}
