/** Words to avoid in docs and comments. Each has a plainer equivalent. */
const MARKED =
  /\b(whoever|whomever|whom|thereof|nobody|somebody|anybody|everybody|tells?|told|telling|stands?|stood|believ(e|es|ed|ing)|befell|befalls?|anew|as ever|lest|whence|(of (its|their|his|her)|in their) own|one's)\b|'s to say\b/gi;

/** Words to avoid in names. Each has an equivalent in the field: attempt, reject, consume, invalidate, … */
const MARKED_IN_NAMES =
  /^(guess(es|ed|er)?|believed?|belief|distrust(ed)?|peek(ed)?|anew|told|tells?|nobody|somebody|anybody|everybody|whoever|befell|standings?|stands?|judg(e|es|ed|ement)|refus(e|es|ed|al|als)|spend|spent|forget|forgets|lanes?|misshapen|stretch|arrivals?|entrance|hears?|heard)$/i;

export const wordsIn = (text) => text.match(/[\p{L}\d][\p{L}\d'’_-]*/gu)?.length ?? 0;

/** The marked words in a text, each with its line. `line` is the line of the text's start. */
export function markedIn({ text, line }) {
  return Array.from(text.matchAll(MARKED), ({ 0: word, index }) => ({
    word,
    line: line + text.slice(0, index).split('\n').length - 1,
  }));
}

const partsOf = (name) => name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [];

export const markedPartOf = (name) => partsOf(name).find((part) => MARKED_IN_NAMES.test(part));
