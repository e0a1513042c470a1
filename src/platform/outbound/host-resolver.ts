import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to all its addresses. Rejects if there are none. */
export abstract class HostResolver {
  abstract resolve(hostname: string): Promise<readonly HostAddress[]>;
}

/** Uses the resolver of the operating system, including the hosts file. */
export class SystemResolver extends HostResolver {
  async resolve(hostname: string): Promise<readonly HostAddress[]> {
    const found = await lookup(hostname, { all: true, verbatim: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  }
}
