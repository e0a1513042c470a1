import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Provider } from 'oidc-provider';

export const REAL_CLIENT = { client_id: 'castellan', client_secret: 'a secret of at least 32 characters' };

/** Follows redirects with cookies, as a browser does, until an address outside the provider. */
class Visit {
  private readonly jar = new Map<string, string>();

  constructor(private readonly origin: string) {}

  async go(url: URL, form?: Record<string, string>): Promise<URL | string> {
    if (url.origin !== this.origin) return url;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.jar.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? response.text() : this.go(new URL(location, url));
  }
}

/** A certified OpenID provider package over HTTP. The entered login is the name of the account. */
export class OpenIdProvider {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(redirectUris: string[]): Promise<OpenIdProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [{ ...REAL_CLIENT, redirect_uris: redirectUris, grant_types: ['authorization_code'] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['nickname'] },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ sub, email: `${sub}@idp.example`, email_verified: true, nickname: `${sub} of the provider` }),
      }),
    });
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
    return new OpenIdProvider(server, issuer);
  }

  /** Logs in, allows what is requested, and returns the parameters that come back with the browser. */
  async visit(authorize: URL, login: string): Promise<URLSearchParams> {
    const visit = new Visit(this.issuer);
    let page = await visit.go(authorize);
    const forms: Record<string, string>[] = [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }];
    for (const form of forms) {
      if (typeof page !== 'string') break;
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
      page = await visit.go(new URL(action, this.issuer), form);
    }
    if (typeof page === 'string') throw new Error(`The provider asked for more: ${page.slice(0, 200)}`);
    return page.searchParams;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
