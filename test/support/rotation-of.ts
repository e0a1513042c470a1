import type { Rotation } from '../../src/session/rotation.repository';

/** What a refresh asks for, from nowhere in particular. @param change at least when it is asked for. */
export function rotationOf(id: string, change: Pick<Rotation, 'askedAt'> & Partial<Rotation>): Rotation {
  const device = { name: '', os: '', browser: '', type: 'unknown' } as const;
  return { id, counter: 1, idleSeconds: 600, ip: '192.0.2.1', userAgent: '', device, ...change };
}
