import type { TestClient } from './test-client';

export const ADMIN = { username: 'admin', password: 'an administrator of tests' } as const;
export const PASSWORD = 'correct horse battery staple';

/** `billing:invoice:read` of the scope `billing`, or `role:read` of the service's own; `level` is 1 unless said. */
export interface Grant {
  readonly scope?: string;
  readonly permission_id: string;
  readonly level?: number;
}

function grantOf(text: string): Grant {
  const [scope = '', resource = '', action] = text.split(':');
  return action === undefined ? { permission_id: text } : { scope, permission_id: `${resource}:${action}` };
}

/** The people of a test: made, logged in and given permissions over HTTP, as people are. */
export abstract class TestPeople<Client extends TestClient = TestClient> {
  /** A browser in which nobody is logged in. */
  abstract client(): Client;

  /** A new user's client, registered but not logged in. */
  async register(username: string, more: Record<string, unknown> = {}): Promise<Client> {
    const client = this.client();
    const answer = await client.post('/api/auth/register', { username, password: PASSWORD, ...more });
    if (answer.status !== 201) throw new Error(`Could not register ${username}: ${answer.text}`);
    return client;
  }

  async logIn(username: string, password: string = PASSWORD, client = this.client()): Promise<Client> {
    const answer = await client.post('/api/auth/login', { type: 'password', username, password });
    if (answer.status !== 200) throw new Error(`Could not log ${username} in: ${answer.text}`);
    return client;
  }

  /** A new user's client, logged in. */
  async signUp(username: string, more: Record<string, unknown> = {}): Promise<Client> {
    return this.logIn(username, PASSWORD, await this.register(username, more));
  }

  admin(): Promise<Client> {
    return this.logIn(ADMIN.username, ADMIN.password);
  }

  /** Gives the user these permissions, as `resource:action` or `scope:resource:action`; they hold from the next request on. */
  async grant(client: Client, ...permissions: (Grant | string)[]): Promise<void> {
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    const add = permissions.map((permission) => (typeof permission === 'string' ? grantOf(permission) : permission));
    const answer = await (await this.admin()).patch(`/api/user/${body.id}/permissions`, { add });
    if (answer.status !== 200) throw new Error(`Could not grant ${JSON.stringify(add)}: ${answer.text}`);
  }
}
