import type { components } from '../../api/schema';

type Session = Pick<components['schemas']['SessionDto'], 'device'> & { readonly user_agent?: string | null };

/** What a login was made with, as far as its browser said. */
export const deviceName = ({ device, user_agent }: Session, unknown: string): string =>
  [device.browser, device.os].filter(Boolean).join(' · ') || user_agent || unknown;
