import type { Rotation } from '../../../src/session/refresh/rotation.repository';

/** Input of a refresh with default values. @param change must contain the request time */
export function rotationOf(id: string, change: Pick<Rotation, 'askedAt'> & Partial<Rotation>): Rotation {
  const device = { name: '', os: '', browser: '', type: 'unknown' } as const;
  return { id, counter: 1, idleSeconds: 600, ip: '192.0.2.1', userAgent: '', device, ...change };
}
