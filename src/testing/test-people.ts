import type { TestClient } from './test-client';

export const ADMIN = { username: 'admin', password: 'an administrator of tests' } as const;
export const PASSWORD = 'correct horse battery staple';

/**
 * A permission such as `billing:invoice:read` of the scope `billing`, or `role:read` of this service. `level` is 1 by
 * default.
 */
export interface Grant {
  readonly scope?: string;
  readonly permission_id: string;
  readonly level?: number;
}

function grantOf(text: string): Grant {
  const [scope = '', resource = '', action] = text.split(':');
  return action === undefined ? { permission_id: text } : { scope, permission_id: `${resource}:${action}` };
}

/** Users of a test. They register, log in and get permissions over HTTP. */
export abstract class TestPeople<Client extends TestClient = TestClient> {
  /** A browser without a login. */
  abstract client(): Client;

  /** The client of a new user, registered but not logged in. */
  async register(username: string, more: Record<string, unknown> = {}): Promise<Client> {
    const client = this.client();
    const answer = await client.post('/api/auth/register', { username, password: PASSWORD, ...more });
    if (answer.status !== 201) throw new Error(`Could not register ${username}: ${answer.text}`);
    return client;
  }

  async logIn(username: string, password: string = PASSWORD, client = this.client()): Promise<Client> {
    const answer = await client.post('/api/auth/login', { type: 'password', username, password });
    if (answer.status !== 200) throw new Error(`Could not log in ${username}: ${answer.text}`);
    return client;
  }

  /** The client of a new user, logged in. */
  async signUp(username: string, more: Record<string, unknown> = {}): Promise<Client> {
    return this.logIn(username, PASSWORD, await this.register(username, more));
  }

  admin(): Promise<Client> {
    return this.logIn(ADMIN.username, ADMIN.password);
  }

  /**
   * Grants the user permissions, as `resource:action` or `scope:resource:action`. They apply from the next request on.
   */
  async grant(client: Client, ...permissions: (Grant | string)[]): Promise<void> {
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    const add = permissions.map((permission) => (typeof permission === 'string' ? grantOf(permission) : permission));
    const answer = await (await this.admin()).patch(`/api/user/${body.id}/permissions`, { add });
    if (answer.status !== 200) throw new Error(`Could not grant ${JSON.stringify(add)}: ${answer.text}`);
  }
}
