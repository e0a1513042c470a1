import type { components } from '../api/schema';

export type Info = components['schemas']['InfoDto'];

function parseInfo(json: string | null | undefined): Info {
  const written: unknown = JSON.parse(json ?? 'null');
  if (typeof written !== 'object' || written === null) throw new Error('The page contains no service info');
  return written as Info;
}

/** Reads the data that the server wrote into the page, so that the first paint needs no request. */
export const readInfo = (): Info => parseInfo(document.getElementById('info')?.textContent);

/**
 * Loads the page again and reads its data, which may depend on its address. Throws if the service cannot be reached or
 * another program answers.
 */
export async function loadInfoOfPage(): Promise<Info> {
  const answer = await fetch(location.href);
  // The policy of the pages forbids parsing text as HTML. The server escapes each < in the data.
  return parseInfo(/ id="info"[^>]*>([^<]*)</.exec(await answer.text())?.[1]);
}
