import type { Abstract, InjectionToken, Provider, Type } from '@nestjs/common';

const tokens = new Map<Abstract<unknown>, symbol>();

/** The token under which the host's own class for a port, or its list of them, is provided. */
export function hostPart(port: Abstract<unknown>): InjectionToken {
  const token = tokens.get(port) ?? Symbol(`castellan.host_${port.name}`);
  tokens.set(port, token);
  return token;
}

/** The host's own class for a port, built. */
export interface Replacement<T> {
  readonly instance: T;
}

/** A port that a host may replace: the host's class where it gave one, else ours. */
export function replaceable<T>(port: Abstract<T>, ours: Type<T>): Provider[] {
  return [
    ours,
    {
      provide: port,
      inject: [ours, { token: hostPart(port), optional: true }],
      useFactory: (own: T, hosts?: Replacement<T>) => hosts?.instance ?? own,
    },
  ];
}
