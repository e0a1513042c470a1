import { demandOf, type Demand } from '../shared/demand';
import { dropUnsaved } from './unsaved';

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

/** Goes to the login page that asks the user to accept the terms, and leads back. */
export function goToTerms(): void {
  const here = `${location.pathname}${location.search}`;
  dropUnsaved();
  location.replace(`/login?${new URLSearchParams({ logged_in: '', redirect: here }).toString()}`);
}
