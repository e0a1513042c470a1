import { SCHEME_KEY } from '../session/scheme-key';
import { Store, useStore } from './store';

export const schemes = ['auto', 'light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The colour scheme that the user chose in this browser. */
function readScheme(): Scheme {
  try {
    const stored = localStorage.getItem(SCHEME_KEY);
    return schemes.find((scheme) => scheme === stored) ?? 'auto';
  } catch {
    // The browser blocks storage.
    return 'auto';
  }
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
  try {
    localStorage.setItem(SCHEME_KEY, scheme);
  } catch {
    // Blocked or full: the choice holds for this page.
  }
  chosen.set(scheme);
  applyScheme();
}

// Another tab has changed it.
addEventListener('storage', ({ key }) => {
  if (key !== SCHEME_KEY && key !== null) return;
  chosen.set(readScheme());
  applyScheme();
});
