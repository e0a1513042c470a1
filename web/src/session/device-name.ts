import type { components } from '../api/schema';

type Session = Pick<components['schemas']['SessionDto'], 'device'> & { readonly user_agent?: string | null };

const isKnown = (part: string): boolean => part !== '' && part !== 'unknown';

/** Browser and system of a session, as far as its user agent names them. */
export const deviceName = ({ device, user_agent }: Session, unknown: string): string =>
  [device.browser, device.os].filter(isKnown).join(' · ') || user_agent || unknown;
