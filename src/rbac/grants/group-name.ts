/** Characters of a name. */
export const MAX_GROUP_NAME = 100;

/** UTF-16 units of a key. The compatibility form of a few letters has many characters. */
const MAX_KEY = 300;

/**
 * The name for comparison and order: lower case in the compatibility form (NFKC), with one form of the Greek sigma, whose
 * lower case depends on its neighbours.
 */
export const groupNameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');

/** Words without spaces, control characters or formatting ones. */
const NAME = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u;

/** Letters, marks and symbols that show nothing. The last one is the empty Braille pattern. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Whether the text can be the name of a group: words separated by single spaces, without a slash, which separates the
 * names of a path. Composed (NFC) and without invisible characters, so that fewer different names look the same. Letters of
 * different scripts still may.
 */
export const isGroupName = (text: string): boolean =>
  NAME.test(text) &&
  !INVISIBLE.test(text) &&
  !text.includes('/') &&
  text === text.normalize('NFC') &&
  groupNameKey(text).length <= MAX_KEY;
