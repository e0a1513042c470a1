import { Resolver } from 'node:dns/promises';

/** Resolves the TXT records of a name in DNS. */
export abstract class TxtResolver {
  /** The texts of the records; none if there are none, or if DNS does not answer in time. */
  abstract resolve(name: string): Promise<readonly string[]>;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Asks the name servers of the operating system. */
export class DnsTxtResolver extends TxtResolver {
  async resolve(name: string): Promise<readonly string[]> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    try {
      // RFC 1035 §3.3.14: a record may consist of several strings.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch {
      return [];
    }
  }
}
