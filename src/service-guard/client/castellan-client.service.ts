import { Inject, Injectable } from '@nestjs/common';
import { platformErrors, ProblemError } from '../../platform/errors';
import { membersOf } from '../../platform/util';
import { REMOTE_IDENTITY_OPTIONS } from './remote-identity.options';
import type { RemoteIdentityOptions } from './remote-identity.options';

const SCOPE = 'remote_guard:execute';
const TIMEOUT_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
/** Replaces a token before it expires. */
const EARLY_MS = 30_000;

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

interface ClientToken {
  readonly value: string;
  /** By `performance.now()`. */
  readonly until: number;
}

/** Castellan answered, but rejected this service's own request: its OAuth client or its permissions are wrong. */
export class CastellanRejection extends Error {
  override readonly name = 'CastellanRejection';
}

async function withoutToken(response: Response): Promise<string> {
  const advice = response.status === 401 ? '. Check the options clientId and clientSecret' : '';
  return `/api/oauth/token: ${await explained(response)}${advice}`;
}

/** Calls Castellan as the OAuth client of this service (client credentials, RFC 6749 §4.4). */
@Injectable()
export class CastellanClientService {
  private token: Promise<ClientToken> | undefined;

  constructor(@Inject(REMOTE_IDENTITY_OPTIONS) private readonly options: RemoteIdentityOptions) {}

  /** Returns the parsed response. Errors: `unavailable` if Castellan cannot be reached, `CastellanRejection`. */
  async call(call: Call): Promise<unknown> {
    const response = await this.send({ ...call, signal: AbortSignal.timeout(TIMEOUT_MS) });
    try {
      return await response.json();
    } catch (error) {
      throw away(error);
    }
  }

  /** As `call`, but returns a successful response with its body unread. Without `signal` it waits for ever. */
  async send(call: Call): Promise<Response> {
    const first = await this.attempt(call);
    // Castellan restarted with other keys, or the secret was replaced.
    const response = first.status === 401 ? await this.attemptAgain(call, first) : first;
    if (response.ok) return response;
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw away(new Error(`Castellan answered ${response.status}`));
    }
    throw new CastellanRejection(`${call.path}: ${await explained(response)}`);
  }

  private async attemptAgain(call: Call, rejected: Response): Promise<Response> {
    await rejected.body?.cancel();
    this.token = undefined;
    return this.attempt(call);
  }

  private async attempt({ method, path, body, signal }: Call): Promise<Response> {
    return this.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${await this.currentToken()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  private async currentToken(): Promise<string> {
    const known = await this.token?.catch(() => undefined);
    if (known && performance.now() < known.until) return known.value;
    this.token = this.requestToken();
    return (await this.token).value;
  }

  private async requestToken(): Promise<ClientToken> {
    const { clientId, clientSecret } = this.options;
    // RFC 6749 §2.3.1: both are form-encoded first.
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const from = performance.now();
    const response = await this.fetch('/api/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status >= 500 || response.status === 429) throw away(new Error(`No token: ${response.status}`));
    if (!response.ok) throw new CastellanRejection(await withoutToken(response));
    const { access_token: value, expires_in: seconds } = membersOf(await response.json());
    if (typeof value !== 'string' || typeof seconds !== 'number') throw away(new Error('No token in the response'));
    return { value, until: from + seconds * 1_000 - EARLY_MS };
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      // A redirect would take the credentials to another place.
      return await fetch(`${this.options.url}${path}`, { ...init, redirect: 'error' });
    } catch (error) {
      throw away(error);
    }
  }
}

const away = (cause: unknown): ProblemError =>
  platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

/** What the response says, for the log of the service. */
async function explained(response: Response): Promise<string> {
  const body = membersOf(await response.json().catch(() => undefined));
  const said = [body['code'], body['error'], body['detail'], body['error_description']];
  const fields = Array.isArray(body['errors']) ? [JSON.stringify(body['errors'])] : [];
  return [response.status, ...said.filter((text) => typeof text === 'string'), ...fields].join(' ');
}
