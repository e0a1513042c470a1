/** What stands between the characters of a code so that it reads well, or comes along where it is pasted. */
const SEPARATORS = /[\s\p{Dash_Punctuation}\p{Format}]/gu;

/** A code as it was made, of what a person typed: `123 456`, `ABCD-EFGH`. Neither groups nor case tell codes apart. */
export const codeAsMade = (typed: string): string => typed.replace(SEPARATORS, '').toLowerCase();
