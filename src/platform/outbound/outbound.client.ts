import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Agent, Dispatcher, request } from 'undici';
import { SettingsReader } from '../settings';
import { isPublicAddress, literalAddress } from './addresses';
import { ConnectionGate } from './connection-gate';
import { HostAddress, HostResolver } from './host-resolver';
import { OutboundError } from './outbound-error';
import { allowPrivateProviders } from './outbound.settings';
import { failureOf, isConnectionClosed, OutboundAnswer, readAnswer, readBeginning } from './read-answer';

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: 5,000. */
  readonly deadlineMs?: number;
}

/** A POST that may arrive twice. */
export type OutboundDelivery = Required<Omit<OutboundRequest, 'method'>>;

/** Code of the field violation of an address that must not be called. */
export type AddressViolation = 'https_address' | 'private_address';

const CHECK_MS = 2_000;
/** Less than servers wait for the next request, so that few close a connection while it is used again. */
const IDLE_MS = 1_000;
/** The name is resolved and checked again after this time at the latest. */
const KEPT_MS = 30_000;

/** The allowed targets: plain http only for private addresses. */
interface Reach {
  readonly protocol: string;
  readonly privateToo: boolean;
}

/** Connections with the same limits. */
interface Connections {
  readonly reach: Reach;
  readonly deadlineMs: number;
  readonly areKept: boolean;
}

type PinnedLookup = (error: Error | null, address: string | HostAddress[], family?: number) => void;

/**
 * Calls URLs that administrators configure: only https to public addresses, connected to the address that was checked.
 * Follows no redirects and accepts no compressed responses; limits are 5 s by default, 256 KiB and 70 parallel calls. Setting
 * `security.allow_private_providers` also allows private addresses, and http to them. Only deliveries keep connections.
 */
@Injectable()
export class OutboundClient {
  /** Time limit of a whole call, from the lookup to the last byte. */
  protected readonly deadlineMs: number = 5_000;
  private readonly gate = new ConnectionGate();
  private readonly agents = new Map<string, Agent>();

  constructor(
    private readonly settings: SettingsReader,
    private readonly resolver: HostResolver,
  ) {}

  /** Returns any response that is not a redirect. Errors: `OutboundError`. */
  async call(wanted: OutboundRequest): Promise<OutboundAnswer> {
    const { url, reach } = await this.admit(wanted.url);
    return this.gate.pass(url.host, () => this.send(url, wanted, reach));
  }

  /**
   * Posts to a receiver that recognizes repeats. Uses a kept connection, and a new one if the receiver has closed that.
   * Returns the beginning of any response that is not a redirect: empty if it is compressed. Errors: `OutboundError`.
   */
  async deliver(wanted: OutboundDelivery): Promise<OutboundAnswer> {
    const { url, reach } = await this.admit(wanted.url);
    return this.gate.pass(url.host, () => this.post(url, wanted, reach));
  }

  /**
   * Whether `call` would reject the URL, as its name resolves now. A name that does not resolve yet is accepted,
   * because every call checks it again.
   */
  async check(address: string): Promise<AddressViolation | undefined> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const privateToo = await this.settings.get(allowPrivateProviders);
    if (!url || !isWebAddress(url, privateToo)) return 'https_address';
    if (privateToo && url.protocol === 'https:') return undefined;
    const addresses = await this.addressesOf(url.hostname);
    if (addresses.every((found) => isWithin({ protocol: url.protocol, privateToo }, found.address))) return undefined;
    return url.protocol === 'http:' ? 'https_address' : 'private_address';
  }

  private async admit(address: string): Promise<{ url: URL; reach: Reach }> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const privateToo = await this.settings.get(allowPrivateProviders);
    if (!url || !isWebAddress(url, privateToo)) throw new OutboundError('address_refused');
    const reach = { protocol: url.protocol, privateToo };
    // An IP address is connected to without a lookup.
    const literal = literalAddress(url.hostname);
    if (literal !== undefined && !isWithin(reach, literal)) throw new OutboundError('address_refused');
    return { url, reach };
  }

  private async send(
    url: URL,
    { method, headers, body, deadlineMs = this.deadlineMs }: OutboundRequest,
    reach: Reach,
  ): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const response = await request(url, {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        dispatcher: this.agent({ reach, deadlineMs, areKept: false }),
        signal,
      });
      return await readAnswer(response);
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  private async post(url: URL, { headers, body, deadlineMs }: OutboundDelivery, reach: Reach): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(deadlineMs);
    const over = (areKept: boolean): Promise<Dispatcher.ResponseData> =>
      request(url, {
        method: 'POST',
        headers: { 'accept-encoding': 'identity', ...headers },
        body,
        dispatcher: this.agent({ reach, deadlineMs, areKept }),
        signal,
      });
    try {
      const response = await over(true).catch((error: unknown) => {
        if (!isConnectionClosed(error)) throw error;
        return over(false);
      });
      return await readBeginning(response);
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  private async addressesOf(hostname: string): Promise<readonly HostAddress[]> {
    const literal = literalAddress(hostname);
    if (literal !== undefined) return [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
    const late = setTimeout<readonly HostAddress[]>(CHECK_MS, [], { ref: false });
    return Promise.race([this.resolver.resolve(hostname).catch(() => []), late]);
  }

  /** By reach, so that a connection is never used under other settings than those it was checked under. */
  private agent(connections: Connections): Agent {
    const name = JSON.stringify(connections);
    const agent = this.agents.get(name) ?? this.newAgent(connections);
    this.agents.set(name, agent);
    return agent;
  }

  private newAgent({ reach, deadlineMs, areKept }: Connections): Agent {
    return new Agent({
      ...(areKept
        ? { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, clientTtl: KEPT_MS }
        : { pipelining: 0 }),
      connect: {
        timeout: deadlineMs,
        lookup: (hostname, { all = false }, done) => {
          this.pin(hostname, reach, { all, done: done });
        },
      },
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
  }

  /** Connects to the addresses checked here, so that a second DNS reply changes nothing. */
  private pin(hostname: string, reach: Reach, { all, done }: { all: boolean; done: PinnedLookup }): void {
    this.resolver.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        // A private address among public ones is an attack.
        const isRejected = addresses.some(({ address }) => !isWithin(reach, address));
        if (!first || isRejected) done(new OutboundError(first ? 'address_refused' : 'unreachable'), '', 0);
        else if (all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      () => {
        done(new OutboundError('unreachable'), '', 0);
      },
    );
  }
}

const isWebAddress = (url: URL, privateToo: boolean): boolean =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && privateToo)) && url.username === '' && url.password === '';

const isWithin = ({ protocol, privateToo }: Reach, address: string): boolean =>
  isPublicAddress(address) ? protocol === 'https:' : privateToo;
