/** Response of Express and `node:http`, and the `raw` one of Fastify. */
export interface NodeResponse {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string | readonly string[]): unknown;
  appendHeader(name: string, value: readonly string[]): unknown;
  writeHead(status: number, ...rest: never[]): unknown;
}

type Header = readonly [name: unknown, value: unknown];

/** Tokens must not get into a cache that other users read. */
export const UNCACHED = ['cache-control', 'no-store'] as const;
const COOKIES = 'set-cookie';

const isNamed = ([name]: Header, wanted: string): boolean => String(name).toLowerCase() === wanted;
const isOther = (header: Header): boolean => !isNamed(header, UNCACHED[0]) && !isNamed(header, COOKIES);

/** Names and values in turn, pairs, or an object, as `writeHead` takes them. Its other argument is a text. */
function headersOf(given: unknown): readonly Header[] {
  if (typeof given !== 'object' || given === null) return [];
  if (!Array.isArray(given)) return Object.entries(given);
  const list: readonly unknown[] = given;
  if (Array.isArray(list[0])) return list as readonly Header[];
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]] as const] : []));
}

function withoutOurs(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const others = headersOf(given).filter(isOther);
  return Array.isArray(given) ? others.flat() : Object.fromEntries(others);
}

/**
 * Adds the lines to the cookies of the response, and forbids to cache it, when the headers are sent, so that a handler
 * cannot replace either. A lost refresh token would end the session at the next refresh.
 */
export function sendTokens(response: NodeResponse, lines: readonly string[]): void {
  const send = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => unknown;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const given = rest.flatMap(headersOf).filter((header) => isNamed(header, COOKIES));
    // As in Node.js, cookies given here replace those set before.
    const cookies = given.length > 0 ? given.flatMap(([, value]) => value) : [response.getHeader(COOKIES) ?? []].flat();
    const theirs = cookies.map(String);
    response.setHeader(...UNCACHED);
    response.setHeader(COOKIES, [...lines.filter((line) => !theirs.includes(line)), ...theirs]);
    return send(status, ...rest.map(withoutOurs));
  };
}
