import { Attempter } from './code-target.repository';
import { UNLIMITED } from './code.settings';

/**
 * Wrong attempts for a contact and day. Attempts by the browser that requested the code are counted separately, so that
 * others cannot use them up. Together 100, so that a code of six digits is guessed on one day of 10,000.
 */
export const MAX_WRONG_PER_DAY: Readonly<Record<Attempter, number>> = { own: 70, shared: 30 };

/** Whether the codes of a day, with the attempts at each of them, keep `MAX_WRONG_PER_DAY` on their own. */
export const areBounded = (dailyCodes: number, attempts: number): boolean =>
  dailyCodes !== UNLIMITED && dailyCodes * attempts <= MAX_WRONG_PER_DAY.own;

/**
 * The limits of wrong attempts for a contact and day. Null: none is needed, because the codes of a day are few. So each browser
 * has all attempts at the code that it requested, whatever other browsers do that requested codes, too.
 */
export const maxWrongPerDay = (dailyCodes: number, attempts: number): Readonly<Record<Attempter, number | null>> =>
  areBounded(dailyCodes, attempts) ? { ...MAX_WRONG_PER_DAY, own: null } : MAX_WRONG_PER_DAY;
