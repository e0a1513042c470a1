import { beginBinding, comeBack, FakeProvider, FakeProviders, roundTrip } from '../../support/oauth/fake-providers';
import { eventually } from '../../support/service/eventually';
import { messagesTo } from '../../support/receivers/inbox';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { TestClient } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

describe('identity notices', () => {
  const subjectLine = /third-party login/;
  const noticesTo = (email: string): number =>
    messagesTo(service, email).filter(({ text, subject }) => subjectLine.test(`${subject ?? ''} ${text}`)).length;
  const arrive = (email: string, count: number): Promise<number> =>
    eventually(
      () => Promise.resolve(noticesTo(email)),
      (seen) => seen === count,
    );

  async function owner(): Promise<{ client: TestClient; email: string }> {
    const username = `noticed_${++made}`;
    const email = `${username}@example.com`;
    const client = await service.signUp(username);
    await service.query(
      'UPDATE user_account SET email = $2, email_key = $2, email_verified = true WHERE username = $1',
      [username, email],
    );
    return { client, email };
  }

  async function bind(client: TestClient, provider: FakeProvider): Promise<void> {
    provider.person(`noticed_subject_${++made}`);
    const answer = await comeBack(client, provider, await beginBinding(client, provider));
    expect(answer.body.status).toBe('bound');
  }

  it('go to the verified address when an identity is linked and unlinked', async () => {
    const { client, email } = await owner();
    await bind(client, providers.add());
    expect(await arrive(email, 1)).toBe(1);
    const { body } = await client.get<{ items: { id: string }[] } | { id: string }[]>('/api/auth/identities');
    const [identity] = Array.isArray(body) ? body : body.items;
    expect((await client.delete(`/api/auth/identities/${identity?.id}`)).status).toBe(204);
    expect(await arrive(email, 2)).toBe(2);
  });

  it('go to each owner once when the provider is deleted with its identities, which are audited one by one', async () => {
    const admin = await service.admin();
    const github = { name: 'going', label: 'Going', template: 'github', client_id: 'id', client_secret: 'secret' };
    const { body } = await admin.post<{ id: string }>('/api/oauth/provider', github);
    const provider = providers.add({ id: body.id });
    const owners = [await owner(), await owner()];
    for (const { client } of owners) await bind(client, provider);
    for (const { email } of owners) await arrive(email, 1);
    const linked = await service.query<{ id: string; user_id: string }>(
      'SELECT id, user_id FROM user_identity WHERE provider_id = $1 ORDER BY id',
      [body.id],
    );
    expect((await admin.delete(`/api/oauth/provider/${body.id}?force=true`)).status).toBe(204);
    for (const { email } of owners) expect(await arrive(email, 2)).toBe(2);
    const audited = await service.query(
      `SELECT target_id AS id, before->>'user_id' AS user_id FROM audit_event
       WHERE action = 'identity.unlink' AND after->>'reason' = 'oauth_provider.delete' ORDER BY target_id`,
    );
    expect(audited).toEqual(linked);
    expect(linked).toHaveLength(2);
  });

  it('follow a login that links by a verified address, but no later login', async () => {
    const { email } = await owner();
    const provider = providers.add({ trustEmail: true });
    provider.person(`noticed_subject_${++made}`, { email, emailVerified: true });
    expect((await roundTrip(service.client(), provider)).status).toBe(200);
    expect(await arrive(email, 1)).toBe(1);
    expect((await roundTrip(service.client(), provider)).status).toBe(200);
    // A later notice of the same kind shows that none came in between.
    const { client, email: other } = await owner();
    await bind(client, providers.add());
    await arrive(other, 1);
    expect(noticesTo(email)).toBe(1);
  });

  it('are not sent for the identity of a new account', async () => {
    const email = `noticed_new_${++made}@example.com`;
    const provider = providers.add({ trustEmail: true, autoRegister: true });
    provider.person(`noticed_subject_${++made}`, { email, emailVerified: true });
    expect((await roundTrip(service.client(), provider)).status).toBe(200);
    const { client, email: other } = await owner();
    await bind(client, providers.add());
    await arrive(other, 1);
    expect(noticesTo(email)).toBe(0);
  });
});
