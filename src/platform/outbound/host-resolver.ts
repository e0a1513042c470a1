import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds the addresses of a name, all of them. Fails where there are none. */
export abstract class HostResolver {
  abstract resolve(hostname: string): Promise<readonly HostAddress[]>;
}

/** As every other program of the machine does it, the file of hosts included. */
export class SystemResolver extends HostResolver {
  async resolve(hostname: string): Promise<readonly HostAddress[]> {
    const found = await lookup(hostname, { all: true, verbatim: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  }
}
