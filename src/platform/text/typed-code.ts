/** Separators in a code, for readability or added by pasting. */
const SEPARATORS = /[\s\p{Dash_Punctuation}\p{Format}]/gu;

/** Normalizes a typed code: `123 456`, `ABCD-EFGH`. Neither separators nor case distinguish codes. */
export const codeAsMade = (typed: string): string => typed.replace(SEPARATORS, '').toLowerCase();
