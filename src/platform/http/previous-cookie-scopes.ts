import { PreviousValue } from '../settings';
import { CookieScope } from './cookie-names';

export type PreviousScopeValues = { readonly [Attribute in keyof CookieScope]: readonly PreviousValue<string>[] };

export interface PreviousCookieScope extends CookieScope {
  /** When it was last in force, in milliseconds since the epoch. */
  readonly until: number;
}

const ATTRIBUTES = ['prefix', 'path', 'domain'] as const;
const keyOf = ({ prefix, path, domain }: CookieScope): string => JSON.stringify([prefix, path, domain]);

/**
 * The frames that cookies of the past may still have, latest first, the current one not among them. What was changed in
 * one transaction has one time, so the frames are those that really were in force together.
 *
 * @param inForce what the settings of a time made of it.
 */
export function previousCookieScopes(
  current: CookieScope,
  former: PreviousScopeValues,
  most: number,
  inForce: (settings: CookieScope) => CookieScope = (settings) => settings,
): PreviousCookieScope[] {
  const changes = ATTRIBUTES.flatMap((attribute) =>
    former[attribute].map(({ value, until }) => ({ attribute, value, at: until.getTime() })),
  ).sort((one, other) => other.at - one.at);
  const found = new Map<string, PreviousCookieScope>();
  const now = keyOf(inForce(current));
  let settings = current;
  changes.forEach(({ attribute, value, at }, index) => {
    settings = { ...settings, [attribute]: value };
    const frame = inForce(settings);
    const key = keyOf(frame);
    const isWhole = changes[index + 1]?.at !== at;
    if (isWhole && key !== now && !found.has(key)) found.set(key, { ...frame, until: at });
  });
  return [...found.values()].slice(0, most);
}
