import { codePointLength, hasControls, isLongerThan, withoutControls } from '../../platform/util';

export type NicknameViolation = 'well_formed' | 'max_length' | 'no_control_characters' | 'visible';

/**
 * In code points, so that variation selectors and joiners count like letters and the text never exceeds 100 UTF-16
 * units.
 */
const MAX_LENGTH = 50;

/** The blank Braille pattern is drawn like a space. */
const UNSEEN_ONLY = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** Names in these scripts have the family name first, without a space. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ーｰﾞﾟ々〆]+$/u;

/** Bounds the work on hostile input. */
const MAX_UNITS_READ = 1_000;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the first rule that a nickname breaks, or undefined. The empty string is valid and means no nickname. */
export function checkNickname(nickname: string): NicknameViolation | undefined {
  if (isLongerThan(nickname, MAX_LENGTH)) return 'max_length';
  if (!nickname.isWellFormed()) return 'well_formed';
  if (hasControls(nickname)) return 'no_control_characters';
  return UNSEEN_ONLY.test(nickname) ? 'visible' : undefined;
}

/**
 * A valid nickname from the name that another system has, or undefined. Drops control characters and whole graphemes at
 * the end, so that joined emoji are not cut.
 */
export function nicknameFrom(text: string): string | undefined {
  const plain = withoutControls(text.slice(0, MAX_UNITS_READ).toWellFormed()).trim();
  const short = withinLimit(plain).trim();
  return short !== '' && checkNickname(short) === undefined ? short : undefined;
}

function withinLimit(text: string): string {
  let kept = '';
  let length = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    length += codePointLength(segment);
    if (length > MAX_LENGTH) break;
    kept += segment;
  }
  return kept;
}

/** The parts of a name in the order of their script: `Ann Smith`, `王小明`. Undefined without any part. */
export function fullName(given: string | undefined, family: string | undefined): string | undefined {
  const [first = '', last = ''] = [given?.trim(), family?.trim()];
  const isFamilyFirst = FAMILY_FIRST.test(first) && FAMILY_FIRST.test(last);
  return (isFamilyFirst ? `${last}${first}` : `${first} ${last}`.trim()) || undefined;
}
