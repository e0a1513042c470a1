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
  /** Without parameters, in lower case; empty where there is none. */
  readonly mediaType: string;
  readonly text: string;
}

/** Why an address is not called: the code of a field's violation. */
export type AddressViolation = 'https_address' | 'private_address';

const MAX_BYTES = 256 * 1024;
const CHECK_MS = 2_000;

/** What may be called: plain http is for the own network only. */
interface Reach {
  readonly protocol: string;
  readonly privateToo: boolean;
}

type PinnedLookup = (error: Error | null, address: string | HostAddress[], family?: number) => void;

/**
 * Calls to addresses that administrators typed: https to public addresses only, the address that was looked at is the one
 * that is called, no redirect is followed, no compressed answer taken, 5 s and 256 KiB at most, 50 calls at once. With
 * setting `security.allow_private_providers` also private addresses, and those over http. Nothing is kept that would have to
 * be closed, and so work that is finished while the service stops can still call.
 */
@Injectable()
export class OutboundClient {
  /** Of a whole call, from the look-up to the last byte. */
  protected readonly deadlineMs: number = 5_000;
  private readonly gate = new ConnectionGate();
  private readonly agents = new Map<string, Agent>();

  constructor(
    private readonly settings: SettingsReader,
    private readonly resolver: HostResolver,
  ) {}

  /** Errors: `OutboundError`. Every status but a redirect is an answer. */
  async call(wanted: OutboundRequest): Promise<OutboundAnswer> {
    const url = URL.canParse(wanted.url) ? new URL(wanted.url) : undefined;
    const privateToo = await this.settings.get(allowPrivateProviders);
    if (!url || !isWebAddress(url, privateToo)) throw new OutboundError('address_refused');
    const reach = { protocol: url.protocol, privateToo };
    // What is an address already is connected to without a look-up.
    const literal = literalAddress(url.hostname);
    if (literal !== undefined && !isWithin(reach, literal)) throw new OutboundError('address_refused');
    return this.gate.pass(url.host, () => this.send(url, wanted, reach));
  }

  /**
   * Whether `call` would refuse the address, as its name is resolved now; a name that nobody knows yet is let be, for it
   * is looked at again at every call.
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
      // No connection is kept: one that was checked under other settings or names must not be used again.
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

  /** The connection is made to what is answered here, so that a second answer of the name server changes nothing. */
  private pin(hostname: string, reach: Reach, { all, done }: { all: boolean; done: PinnedLookup }): void {
    this.resolver.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        // One private address among public ones is a trap, not a choice.
        const isRefused = addresses.some(({ address }) => !isWithin(reach, address));
        if (!first || isRefused) done(new OutboundError(first ? 'address_refused' : 'unreachable'), '', 0);
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
  const refuse = (reason: OutboundFailure): never => {
    // Destroying makes it emit an error, which unheard would end the process.
    body.on('error', () => undefined).destroy();
    throw new OutboundError(reason);
  };
  if (statusCode >= 300 && statusCode < 400) refuse('redirected');
  // A few compressed bytes can stand for gigabytes; it was not asked for, either.
  if (textOf(headers['content-encoding'], 'identity') !== 'identity') refuse('encoded');
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
    // Leaving the loop ends the connection.
    if (size > MAX_BYTES) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
