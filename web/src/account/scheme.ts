import { SCHEME_KEY } from '../signed-in/scheme-key';
import { Store, useStore } from './store';

export const schemes = ['auto', 'light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The colour scheme that the user chose in this browser. */
function readScheme(): Scheme {
  const stored = localStorage.getItem(SCHEME_KEY);
  return schemes.find((scheme) => scheme === stored) ?? 'auto';
}

const chosen = new Store(readScheme());

export const useScheme = (): Scheme => useStore(chosen);

/** Gives the page its colour scheme. `auto` leaves it to the device. */
export function applyScheme(): void {
  const { dataset } = document.documentElement;
  if (chosen.value === 'auto') delete dataset['scheme'];
  else dataset['scheme'] = chosen.value;
}

export function chooseScheme(scheme: Scheme): void {
  localStorage.setItem(SCHEME_KEY, scheme);
  chosen.set(scheme);
  applyScheme();
}
