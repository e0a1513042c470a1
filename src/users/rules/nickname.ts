import { hasControls, isLongerThan } from '../../platform/text';

export type NicknameViolation = 'well_formed' | 'max_length' | 'no_control_characters' | 'visible';

/**
 * In code points, so that variation selectors and joiners count like letters and the text never exceeds 100 UTF-16
 * units.
 */
const LONGEST = 50;

const UNSEEN_ONLY = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/u;

/** Returns the first rule that a nickname breaks, or undefined. The empty string is valid and means no nickname. */
export function checkNickname(nickname: string): NicknameViolation | undefined {
  if (isLongerThan(nickname, LONGEST)) return 'max_length';
  if (!nickname.isWellFormed()) return 'well_formed';
  if (hasControls(nickname)) return 'no_control_characters';
  return UNSEEN_ONLY.test(nickname) ? 'visible' : undefined;
}
