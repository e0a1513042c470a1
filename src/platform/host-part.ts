import type { Abstract, InjectionToken, Provider, Type } from '@nestjs/common';

const tokens = new Map<Abstract<unknown>, symbol>();

/** Injection token of the host's class, or list of classes, for a port. */
export function hostPart(port: Abstract<unknown>): InjectionToken {
  const token = tokens.get(port) ?? Symbol(`castellan.host_${port.name}`);
  tokens.set(port, token);
  return token;
}

/** An instance of the host's class for a port. */
export interface Replacement<T> {
  readonly instance: T;
}

/** Provides a port that a host may replace: the host's class, or ours by default. */
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
