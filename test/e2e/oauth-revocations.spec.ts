import { Configuration } from 'openid-client';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { basic, logInAt, post, register, registerApp, Registered, relyingParty } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
  ann = await userWith(service, admin, 'ann');
});

const revoke = async (token: unknown, client = app): Promise<number> =>
  (await post(service, '/api/oauth/revoke', { token: String(token) }, basic(client))).status;

const isActive = async (token: unknown, client = app): Promise<unknown> =>
  (await post(service, '/api/oauth/introspect', { token: String(token) }, basic(client))).body['active'];

const publicClient = (): Promise<Registered> => register(admin, { is_public: true });

const recorded = (): Promise<unknown[]> =>
  service.query(`SELECT outcome, after FROM audit_event WHERE action = 'oauth_grant.revoke' ORDER BY at`);

const grants = (): Promise<unknown[]> => service.query(`SELECT id FROM oauth_artifact WHERE model = 'Grant'`);

/** Lets the database reject a statement while `work` runs. */
async function whileRejected(table: string, when: string, work: () => Promise<void>): Promise<void> {
  await service.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now'; END $$`);
  await service.query(`CREATE TRIGGER refuse BEFORE ${when} EXECUTE FUNCTION refuse()`.replace('$', table));
  try {
    await work();
  } finally {
    await service.query(`DROP TRIGGER refuse ON ${table}`);
    await service.query('DROP FUNCTION refuse');
  }
}

describe('token revocation (RFC 7009)', () => {
  it.each([
    ['the grant cannot be deleted', 'oauth_artifact', `DELETE ON $ FOR EACH ROW WHEN (old.model = 'Grant')`],
    [
      'the audit event cannot be written',
      'audit_event',
      `INSERT ON $ FOR EACH ROW WHEN (new.action = 'oauth_grant.revoke')`,
    ],
  ])(
    'leaves a refresh token unchanged when %s, and revokes it completely on the next request',
    async (_, table, when) => {
      const { refresh_token: refresh, access_token: access } = await logInAt(config, ann.client, {
        scope: 'openid offline_access',
      });
      const before = await recorded();
      await whileRejected(table, when, async () => {
        expect(await revoke(refresh)).toBe(500);
      });
      expect([await isActive(refresh), await isActive(access), await recorded()]).toEqual([true, true, before]);

      expect(await revoke(refresh)).toBe(200);
      expect([await isActive(refresh), await isActive(access), await grants()]).toEqual([false, false, []]);
      const record = {
        outcome: 'success',
        after: { user_id: ann.id, client_id: app.client_id, token_type: 'refresh_token' },
      };
      expect(await recorded()).toEqual([...before, record]);
    },
  );

  it('of an access token revokes the tokens of the same session and keeps the grant', async () => {
    const { refresh_token: refresh, access_token: access } = await logInAt(config, ann.client, {
      scope: 'openid offline_access',
    });
    expect(await revoke(access)).toBe(200);
    expect([await isActive(access), await isActive(refresh)]).toEqual([false, false]);
    expect(await grants()).toHaveLength(1);
    expect((await recorded()).at(-1)).toMatchObject({ after: { token_type: 'access_token' } });
  });

  it('ends the opaque token of a client that acts for itself', async () => {
    const serviceClient = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
    const { body } = await post(
      service,
      '/api/oauth/token',
      { grant_type: 'client_credentials', scope: 'openid' },
      basic(serviceClient),
    );
    const token = body['access_token'];
    expect(await isActive(token, serviceClient)).toBe(true);
    expect(await revoke(token, serviceClient)).toBe(200);
    expect(await isActive(token, serviceClient)).toBe(false);
  });

  it('works for a public client with its client_id', async () => {
    const [page, other] = [await publicClient(), await publicClient()];
    const { refresh_token: refresh } = await logInAt(await relyingParty(() => service, page), ann.client, {
      scope: 'openid offline_access',
    });
    const revokeBy = async (client_id: string): Promise<number> =>
      (await post(service, '/api/oauth/revoke', { token: String(refresh), client_id })).status;
    const before = await recorded();
    expect([await revokeBy(other.client_id), await revokeBy('nobody')]).toEqual([400, 401]);
    expect(await recorded()).toEqual(before);

    expect(await revokeBy(page.client_id)).toBe(200);
    expect(await recorded()).toHaveLength(before.length + 1);
    const refreshing = { client_id: page.client_id, grant_type: 'refresh_token', refresh_token: String(refresh) };
    expect((await post(service, '/api/oauth/token', refreshing)).body['error']).toBe('invalid_grant');
  });

  it('is recorded once for concurrent requests', async () => {
    const { refresh_token: refresh } = await logInAt(config, ann.client, { scope: 'openid offline_access' });
    const before = (await recorded()).length;
    const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(refresh)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await recorded()).toHaveLength(before + 1);
  });

  it('of a token of another client has no effect', async () => {
    const { refresh_token: refresh } = await logInAt(config, ann.client, { scope: 'openid offline_access' });
    expect(await revoke(refresh, await register(admin))).toBe(400);
    expect(await isActive(refresh)).toBe(true);
  });
});
