/** Name and value. Of two cookies with one name the service chooses, so both are kept. */
export type Cookie = readonly [name: string, value: string];

function readPair(pair: string): Cookie {
  const at = pair.indexOf('=');
  return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
}

/** Cookies of a `Cookie` header (RFC 6265 §4.2). */
export const readCookies = (header: string): Cookie[] =>
  header
    .split(';')
    .map(readPair)
    .filter(([name]) => name !== '');

export const writeCookies = (cookies: readonly Cookie[]): string =>
  cookies.map(([name, value]) => `${name}=${value}`).join('; ');

/** The cookies after a response with these `Set-Cookie` lines. One that is deleted has an empty value. */
export function afterResponse(cookies: readonly Cookie[], lines: readonly string[]): Cookie[] {
  const set = lines.map((line) => readPair(line.split(';', 1)[0] ?? ''));
  const changed = new Set(set.map(([name]) => name));
  return [...cookies.filter(([name]) => !changed.has(name)), ...set.filter(([, value]) => value !== '')];
}
