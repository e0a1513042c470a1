import { FormerValue } from '../platform/settings';

/** Under which names, for which part of the web, the cookies are set. */
export interface CookieFrame {
  readonly prefix: string;
  readonly path: string;
  /** Empty: the very host alone. */
  readonly domain: string;
}

export type FormerFrameValues = { readonly [Attribute in keyof CookieFrame]: readonly FormerValue<string>[] };

const ATTRIBUTES = ['prefix', 'path', 'domain'] as const;
const keyOf = ({ prefix, path, domain }: CookieFrame): string => JSON.stringify([prefix, path, domain]);

/**
 * The frames that cookies of the past may still have, latest first, the current one not among them. What was changed in
 * one transaction has one time, so the frames are those that really were in force together.
 */
export function formerFrames(current: CookieFrame, former: FormerFrameValues, most: number): CookieFrame[] {
  const changes = ATTRIBUTES.flatMap((attribute) =>
    former[attribute].map(({ value, until }) => ({ attribute, value, at: until.getTime() })),
  ).sort((one, other) => other.at - one.at);
  const found = new Map<string, CookieFrame>();
  let frame = current;
  changes.forEach(({ attribute, value, at }, index) => {
    frame = { ...frame, [attribute]: value };
    if (changes[index + 1]?.at !== at && keyOf(frame) !== keyOf(current)) found.set(keyOf(frame), frame);
  });
  return [...found.values()].slice(0, most);
}
