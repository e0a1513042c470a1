import { useEffect, useState } from 'react';
import { demandOf, type Demand } from '../shared/demand';
import { hasUnsaved } from './unsaved';

interface Place {
  readonly path: string;
  /** Key of the page name under `nav`. */
  readonly name: string;
}

/** Terms and attributes are asked for on a login page. */
const places: Readonly<Partial<Record<Demand, Place>>> = {
  password_change_required: { path: '/account/security', name: 'security' },
  mfa_enrolment_required: { path: '/account/mfa', name: 'mfa' },
};

/** Returns the page where the user completes the required step, if the error names one. */
export function placeOf(error: unknown): Place | undefined {
  const demand = demandOf(error);
  return demand && places[demand];
}

/** Whether the required step is on the login page. */
export const isOnLoginPage = (demand: Demand | undefined): demand is 'terms_required' | 'attributes_required' =>
  demand === 'terms_required' || demand === 'attributes_required';

/** Address of the login page that asks for the required step, and leads back. */
const stepAddress = (): string => {
  const here = `${location.pathname}${location.search}`;
  return `/login?${new URLSearchParams({ logged_in: '', redirect: here }).toString()}`;
};

/**
 * Redirects to the login page that asks for the required step, if nothing is unsaved.
 *
 * @returns its address while the page waits with its input.
 */
export function useStepDue(): string | undefined {
  const [waits] = useState(hasUnsaved);
  const address = stepAddress();
  useEffect(() => {
    if (!waits) location.replace(address);
  }, [waits]);
  return waits ? address : undefined;
}
