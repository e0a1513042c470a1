import { codePointLength } from './text';

export type NicknameViolation = 'well_formed' | 'max_length' | 'no_control_characters' | 'visible';

/** In code points, so variation selectors and joiners count like letters, and the text never exceeds 100 UTF-16 units. */
const LONGEST = 50;

/** C0, DEL, C1, the line and paragraph separators, and the bidi embeddings, overrides and isolates (UAX #9) that reorder what stands beside a name. */
const CONTROL = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\u202A-\u202E\u2066-\u2069]/u;
const UNSEEN_ONLY = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/u;

/** The first rule a nickname breaks, or undefined. The empty text is fine: it means none. */
export function checkNickname(nickname: string): NicknameViolation | undefined {
  // Twice as many units as code points at most: hostile lengths are refused without reading them.
  if (nickname.length > LONGEST * 2 || codePointLength(nickname) > LONGEST) return 'max_length';
  if (!nickname.isWellFormed()) return 'well_formed';
  if (CONTROL.test(nickname)) return 'no_control_characters';
  return UNSEEN_ONLY.test(nickname) ? 'visible' : undefined;
}
