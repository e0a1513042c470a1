import { PreviousValue } from '../settings';
import { CookieScope } from './cookie-names';

export type PreviousScopeValues = { readonly [Attribute in keyof CookieScope]: readonly PreviousValue<string>[] };

export interface PreviousCookieScope extends CookieScope {
  /** When it was last effective, in milliseconds since the epoch. */
  readonly until: number;
}

const ATTRIBUTES = ['prefix', 'path', 'domain'] as const;
const keyOf = ({ prefix, path, domain }: CookieScope): string => JSON.stringify([prefix, path, domain]);

/**
 * Returns the scopes that old cookies may still have, latest first, without the current one. Changes of one transaction
 * have the same time, so only combinations that were really effective are returned.
 * @param effective maps stored settings to the effective scope.
 */
export function previousCookieScopes(
  current: CookieScope,
  previous: PreviousScopeValues,
  max: number,
  effective: (settings: CookieScope) => CookieScope = (settings) => settings,
): PreviousCookieScope[] {
  const changes = ATTRIBUTES.flatMap((attribute) =>
    previous[attribute].map(({ value, until }) => ({ attribute, value, at: until.getTime() })),
  ).sort((one, other) => other.at - one.at);
  const found = new Map<string, PreviousCookieScope>();
  const now = keyOf(effective(current));
  let settings = current;
  changes.forEach(({ attribute, value, at }, index) => {
    settings = { ...settings, [attribute]: value };
    const scope = effective(settings);
    const key = keyOf(scope);
    const isComplete = changes[index + 1]?.at !== at;
    if (isComplete && key !== now && !found.has(key)) found.set(key, { ...scope, until: at });
  });
  return [...found.values()].slice(0, max);
}
