import type { Problem } from 'castellan-client';
import { useState } from 'react';
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

const isRejection = (problem: Problem | undefined): boolean =>
  problem?.errors?.some(({ field }) => field === 'terms_accepted') ?? false;

/** The last problem that rejected the terms, also while the next attempt is pending. */
function useRejection(problem: Problem | undefined): Problem | undefined {
  const [last, setLast] = useState<Problem>();
  const isNew = problem !== last && isRejection(problem);
  if (isNew) setLast(problem);
  return isNew ? problem : last;
}

/**
 * The current terms; null: there are none. Undefined until the service has answered.
 * @param problem of the request that accepts them. If it rejects them, they are loaded again, because they changed.
 */
export function useTerms(problem?: Problem): Terms | null | undefined {
  const found = useInfo(useRejection(problem));
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
