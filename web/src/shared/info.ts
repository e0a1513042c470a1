import type { components } from '../api/schema';

export type Info = components['schemas']['InfoDto'];

/** What the server wrote into the page, so that the first paint waits for no request. */
export function readInfo(): Info {
  const written: unknown = JSON.parse(document.getElementById('info')?.textContent ?? 'null');
  if (typeof written !== 'object' || written === null) throw new Error('The page came without its information');
  return written as Info;
}
