import { useEffect, useState } from 'react';
import { demandOf, type Demand } from '../shared/demand';
import { hasUnsaved } from './unsaved';

interface Place {
  readonly path: string;
  /** Key of the page name under `nav`. */
  readonly name: string;
}

/** Terms are accepted on a login page. */
const places: Readonly<Partial<Record<Demand, Place>>> = {
  password_change_required: { path: '/account/security', name: 'security' },
  mfa_enrolment_required: { path: '/account/mfa', name: 'mfa' },
};

/** Returns the page where the user completes the required step, if the error names one. */
export function placeOf(error: unknown): Place | undefined {
  const demand = demandOf(error);
  return demand && places[demand];
}

/** Address of the login page that asks the user to accept the terms, and leads back. */
const termsAddress = (): string => {
  const here = `${location.pathname}${location.search}`;
  return `/login?${new URLSearchParams({ logged_in: '', redirect: here }).toString()}`;
};

/**
 * Redirects to the login page that asks for agreement, if nothing is unsaved.
 *
 * @returns its address while the page waits with its input.
 */
export function useTermsDue(): string | undefined {
  const [waits] = useState(hasUnsaved);
  const address = termsAddress();
  useEffect(() => {
    if (!waits) location.replace(address);
  }, [waits]);
  return waits ? address : undefined;
}
