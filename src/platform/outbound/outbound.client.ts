import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Agent, Dispatcher, request } from 'undici';
import { SettingsReader } from '../settings';
import { isPublicAddress, literalAddress } from './addresses';
import { ConnectionGate } from './connection-gate';
import { HostAddress, HostResolver } from './host-resolver';
import { OutboundError, OutboundFailure } from './outbound-error';
import { allowPrivateProviders } from './outbound.settings';

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Media type in lower case without parameters; empty if missing. */
  readonly mediaType: string;
  readonly text: string;
}

/** Code of the field violation of an address that must not be called. */
export type AddressViolation = 'https_address' | 'private_address';

const MAX_BYTES = 256 * 1024;
const CHECK_MS = 2_000;

/** The allowed targets: plain http only for private addresses. */
interface Reach {
  readonly protocol: string;
  readonly privateToo: boolean;
}

type PinnedLookup = (error: Error | null, address: string | HostAddress[], family?: number) => void;

/**
 * Calls URLs that administrators configure: only https to public addresses, connected to the address that was checked.
 * Follows no redirects and accepts no compressed responses; limits are 5 s, 256 KiB and 50 parallel calls. Setting
 * `security.allow_private_providers` also allows private addresses, and http to them. No connection is kept, so work
 * that finishes during shutdown can still make calls.
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
    const url = URL.canParse(wanted.url) ? new URL(wanted.url) : undefined;
    const privateToo = await this.settings.get(allowPrivateProviders);
    if (!url || !isWebAddress(url, privateToo)) throw new OutboundError('address_refused');
    const reach = { protocol: url.protocol, privateToo };
    // An IP address is connected to without a lookup.
    const literal = literalAddress(url.hostname);
    if (literal !== undefined && !isWithin(reach, literal)) throw new OutboundError('address_refused');
    return this.gate.pass(url.host, () => this.send(url, wanted, reach));
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

  private async send(url: URL, { method, headers, body }: OutboundRequest, reach: Reach): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(this.deadlineMs);
    try {
      const response = await request(url, {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        dispatcher: this.agent(reach),
        signal,
      });
      return await readAnswer(response);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      throw new OutboundError(signal.aborted || isTimeout(error) ? 'timed_out' : 'unreachable');
    }
  }

  private async addressesOf(hostname: string): Promise<readonly HostAddress[]> {
    const literal = literalAddress(hostname);
    if (literal !== undefined) return [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
    const late = setTimeout<readonly HostAddress[]>(CHECK_MS, [], { ref: false });
    return Promise.race([this.resolver.resolve(hostname).catch(() => []), late]);
  }

  private agent(reach: Reach): Agent {
    const name = JSON.stringify(reach);
    const agent = this.agents.get(name) ?? this.newAgent(reach);
    this.agents.set(name, agent);
    return agent;
  }

  private newAgent(reach: Reach): Agent {
    return new Agent({
      // Keeps no connection: it might have been checked under other settings or names.
      pipelining: 0,
      connect: {
        timeout: this.deadlineMs,
        lookup: (hostname, { all = false }, done) => {
          this.pin(hostname, reach, { all, done: done });
        },
      },
      headersTimeout: this.deadlineMs,
      bodyTimeout: this.deadlineMs,
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

const isTimeout = (error: unknown): boolean => String((error as { code?: unknown }).code).includes('TIMEOUT');

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<OutboundAnswer> {
  const reject = (reason: OutboundFailure): never => {
    // Destroying the body emits an error, which without a listener would end the process.
    body.on('error', () => undefined).destroy();
    throw new OutboundError(reason);
  };
  if (statusCode >= 300 && statusCode < 400) reject('redirected');
  // A few compressed bytes can expand to gigabytes, and compression was not requested.
  if (textOf(headers['content-encoding'], 'identity') !== 'identity') reject('encoded');
  const [mediaType = ''] = textOf(headers['content-type'], '').split(';');
  return { status: statusCode, mediaType: mediaType.trim(), text: await readText(body) };
}

const textOf = (header: string | string[] | undefined, fallback: string): string =>
  (header === undefined ? fallback : [header].flat().join(',')).toLowerCase();

async function readText(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_BYTES) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
