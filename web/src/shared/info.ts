import type { components } from '../api/schema';

export type Info = components['schemas']['InfoDto'];

/** Reads the data that the server wrote into the page, so that the first paint needs no request. */
export function readInfo(): Info {
  const written: unknown = JSON.parse(document.getElementById('info')?.textContent ?? 'null');
  if (typeof written !== 'object' || written === null) throw new Error('The page contains no service info');
  return written as Info;
}
