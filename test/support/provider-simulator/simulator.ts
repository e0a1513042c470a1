import { randomBytes } from 'node:crypto';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Answered, Asked, Desk, Grant } from './exchange';
import { challengeOf } from './oidc-vendors';
import { ANN, SimulatedPerson } from './person';
import { vendors } from './vendors';

/** The redirect or form that returns to the service. */
export interface Callback {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
}

type Handler = (asked: Asked, response: ServerResponse) => Answered | undefined | Promise<Answered | undefined>;

const objectOf = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** All providers at one address. Each responds as its vendor documents. */
export class ProviderSimulator implements Desk {
  /** The user who consents from now on. */
  someone: SimulatedPerson = ANN;
  /** All requests, oldest first. */
  readonly asked: Asked[] = [];
  private readonly routes = new Map<string, Handler>();
  private readonly grants = new Map<string, Grant>();
  private readonly tokens = new Map<string, Grant>();
  private readonly server: Server;

  private constructor() {
    this.restore();
    this.server = createServer((request, response) => {
      void this.serve(request, response);
    });
  }

  static async start(port = 0): Promise<ProviderSimulator> {
    const simulator = new ProviderSimulator();
    await new Promise<void>((resolve) => simulator.server.listen(port, '127.0.0.1', resolve));
    return simulator;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The body of `POST /api/oauth/provider` for this vendor. */
  configuration(template: string, more: object = {}): Record<string, unknown> {
    const vendor = vendors.find((known) => known.template === template);
    if (!vendor) throw new Error(`No vendor is simulated for ${template}`);
    return { name: template, label: template, template, ...vendor.configuration(this.url), ...more };
  }

  /**
   * Replaces the response of a route such as `POST /oidc/token`. A handler that returns nothing writes the response
   * itself.
   */
  override(route: string, handler: Handler): void {
    this.routes.set(route, handler);
  }

  /** Restores all documented routes. */
  restore(): void {
    this.routes.clear();
    for (const vendor of vendors) {
      for (const [route, handler] of Object.entries(vendor.routes(this))) this.routes.set(route, handler);
    }
  }

  /** Follows the redirect of the service, consents, and returns what comes back. */
  async visit(address: string | URL): Promise<Callback> {
    const { pathname, search } = new URL(address);
    // Host names of vendors are replaced by the address of the simulator.
    const response = await fetch(`${this.url}${pathname}${search}`, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location !== null) {
      return { method: 'GET', url: location, params: Object.fromEntries(new URL(location).searchParams) };
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`The provider answered ${response.status} ${page}`);
    const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    const plain = (text = ''): string =>
      text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    return {
      method: 'POST',
      url: plain(action),
      params: Object.fromEntries(fields.map(([, name = '', value]) => [name, plain(value)])),
    };
  }

  base(): string {
    return this.url;
  }

  person(): SimulatedPerson {
    return this.someone;
  }

  consent({ query }: Asked, clientId: string | undefined): string {
    const code = randomBytes(16).toString('hex');
    this.grants.set(code, {
      clientId: clientId ?? '',
      redirectUri: query['redirect_uri'] ?? '',
      nonce: query['nonce'],
      challenge: query['code_challenge_method'] === 'S256' ? query['code_challenge'] : undefined,
      person: this.someone,
    });
    return code;
  }

  spend(code: unknown, proof: { redirectUri?: unknown; verifier?: unknown; clientId?: unknown }): Grant | undefined {
    const grant = this.grants.get(String(code));
    this.grants.delete(String(code));
    if (!grant) return undefined;
    if ('redirectUri' in proof && proof.redirectUri !== grant.redirectUri) return undefined;
    if ('clientId' in proof && proof.clientId !== grant.clientId) return undefined;
    const { challenge } = grant;
    const isProven =
      challenge === undefined || (typeof proof.verifier === 'string' && challengeOf(proof.verifier) === challenge);
    return isProven ? grant : undefined;
  }

  token(grant: Grant): string {
    const token = randomBytes(16).toString('hex');
    this.tokens.set(token, grant);
    return token;
  }

  whose(token: unknown): Grant | undefined {
    return this.tokens.get(String(token));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    this.asked.push(asked);
    const handler = this.routes.get(`${asked.method} ${asked.path}`);
    const answer = handler ? await handler(asked, response) : { status: 404, body: 'Not simulated' };
    if (!answer) return;
    const { status = 200, type = 'text/plain', headers, body } = answer;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const url = new URL(request.url ?? '/', 'http://simulator');
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    form: Object.fromEntries(new URLSearchParams(body)),
    json: objectOf(body),
  };
}
