import { PreviousValue } from '../settings';
import { CookieScope, keyOfScope } from './cookie-names';

/** Former values of the settings that give a scope. */
export type PreviousScopeValues<Settings extends CookieScope = CookieScope> = {
  readonly [Name in keyof Settings]: readonly PreviousValue<Settings[Name]>[];
};

export interface PreviousCookieScope extends CookieScope {
  /** When it was last effective, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Returns the scopes that old cookies may still have, latest first, without the current one. Changes of one transaction
 * have the same time, so only combinations that were really effective are returned.
 * @param effective maps stored settings to the effective scope.
 */
export function previousCookieScopes<Settings extends CookieScope>(
  current: Settings,
  previous: PreviousScopeValues<Settings>,
  max: number,
  effective: (settings: Settings) => CookieScope = (settings) => settings,
): PreviousCookieScope[] {
  const changes = (Object.keys(previous) as (keyof Settings)[])
    .flatMap((name) => previous[name].map(({ value, until }) => ({ name, value, at: until.getTime() })))
    .sort((one, other) => other.at - one.at);
  const found = new Map<string, PreviousCookieScope>();
  const now = keyOfScope(effective(current));
  let settings = current;
  changes.forEach(({ name, value, at }, index) => {
    settings = { ...settings, [name]: value };
    const scope = effective(settings);
    const key = keyOfScope(scope);
    const isComplete = changes[index + 1]?.at !== at;
    if (isComplete && key !== now && !found.has(key)) found.set(key, { ...scope, until: at });
  });
  return [...found.values()].slice(0, max);
}
