import type { Problem } from 'castellan-client';
import { useInfo } from './use-info';

/** The current terms of the service. */
export interface Terms {
  /** Whether a registration must accept them. */
  readonly isRequired: boolean;
  /** Send it as `terms_accepted`. */
  readonly version: string;
  /** Absolute URLs. At least one of them is there. */
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
}

const absolute = (address: string, url: string): string | undefined =>
  address === '' || !URL.canParse(address, url) ? undefined : new URL(address, url).href;

/**
 * The current terms; null: there are none. Undefined until the service has answered.
 * @param rejection the problem with which the service rejected them, because they changed: another one loads them again.
 */
export function useTerms(rejection?: Problem): Terms | null | undefined {
  const found = useInfo(rejection);
  if (!found) return undefined;
  const { registration, branding } = found.info;
  if (registration.terms_version === '') return null;
  return {
    isRequired: registration.terms_required,
    version: registration.terms_version,
    terms: absolute(branding.terms, found.url),
    privacy: absolute(branding.privacy, found.url),
  };
}
