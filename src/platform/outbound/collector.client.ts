import { Injectable } from '@nestjs/common';
import { Agent, request } from 'undici';
import { failureOf, OutboundBeginning, readBeginning } from './read-answer';

export interface CollectorRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Certificates in PEM that sign the server's one. Default: those that Node.js trusts. */
  readonly ca: string | undefined;
}

const DEADLINE_MS = 10_000;

/**
 * Posts to servers that the environment of the process names: private addresses are allowed, because who sets the
 * environment could call them anyway. Follows no redirect.
 */
@Injectable()
export class CollectorClient {
  private readonly agents = new Map<string | undefined, Agent>();

  /** Returns the beginning of any response that is not a redirect: empty if it is compressed. Errors: `OutboundError`. */
  async post({ url, headers, body, ca }: CollectorRequest): Promise<OutboundBeginning> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'accept-encoding': 'identity', 'user-agent': 'Castellan', ...headers },
        body,
        dispatcher: this.agent(ca),
        signal,
      });
      return await readBeginning(response);
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  private agent(ca: string | undefined): Agent {
    // Keeps no connection: a server may have become another one.
    const agent = this.agents.get(ca) ?? new Agent({ pipelining: 0, ...(ca !== undefined && { connect: { ca } }) });
    this.agents.set(ca, agent);
    return agent;
  }
}
