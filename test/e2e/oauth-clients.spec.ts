import { createHash } from 'node:crypto';
import { userWith, UserWithGrants } from '../support/accounts/holders';
import { HOLD_AUTHORITY, itOnServer, SOMEBODY_WAITS } from '../support/service/on-server';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

interface Client {
  readonly id: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly enabled: boolean;
  readonly owner_id: string | null;
  readonly scopes: string[];
}

const CALLBACK = 'https://shop.example.com/callback';
const hashOf = (secret: string | undefined): string =>
  createHash('sha256')
    .update(secret ?? '')
    .digest('base64url');

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let bob: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann', 'oauth_client:create', { permission_id: 'role:read', level: 1 });
  bob = await userWith(service, admin, 'bob', 'oauth_client:create');
});

const create = async (client: TestClient, more: object = {}): Promise<Client> => {
  const answer = await client.post<Client>('/api/oauth/client', { name: 'Shop', redirect_uris: [CALLBACK], ...more });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
};

const stored = async ({ id }: { id: string }): Promise<Record<string, unknown>> =>
  (await service.query('SELECT * FROM oauth_client WHERE id = $1', [id]))[0]!;

const fieldsOf = (problem: Problem): [string, string][] =>
  (problem.errors ?? []).map(({ field, code }) => [field, code]);

describe('OAuth client', () => {
  it('is created with a secret that is shown once and stored as a digest', async () => {
    const { client_secret: secret, ...made } = await create(ann.client, { scopes: ['openid', 'iam:role:read'] });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(made).toMatchObject({
      name: 'Shop',
      description: '',
      logo: '',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'role:read'],
      is_public: false,
      first_party: false,
      enabled: true,
      owner_id: ann.id,
      last_used_at: null,
    });
    expect((await ann.client.get(`/api/oauth/client/${made.id}`)).body).toEqual(made);
    const row = await stored(made);
    expect(row['secret_hash']).toBe(hashOf(secret));
    expect(JSON.stringify(await service.query('SELECT * FROM audit_event'))).not.toContain(secret);
  });

  it('has no secret when it is public, now or later', async () => {
    const made = await create(ann.client, { is_public: true, redirect_uris: ['com.example.shop:/callback'] });
    expect(made).not.toHaveProperty('client_secret');
    expect((await ann.client.post(`/api/oauth/client/${made.id}/secret`, {})).status).toBe(404);
  });

  it.each<[object, [string, string][]]>([
    [{ name: '' }, [['name', 'min_length']]],
    [{ name: ' ' }, [['name', 'visible']]],
    [{ redirect_uris: [] }, [['redirect_uris', 'min_items']]],
    [{ redirect_uris: ['https://a.example/#x'] }, [['redirect_uris[0]', 'redirect_uri']]],
    [{ redirect_uris: ['https://*.a.example/'] }, [['redirect_uris[0]', 'redirect_uri']]],
    [{ redirect_uris: ['http://a.example/'] }, [['redirect_uris[0]', 'redirect_uri']]],
    [{ redirect_uris: ['com.example.shop:/cb'] }, [['redirect_uris[0]', 'public_client_needed']]],
    [
      { post_logout_redirect_uris: ['com.example.shop:/bye'] },
      [['post_logout_redirect_uris[0]', 'public_client_needed']],
    ],
    [
      { is_public: true, redirect_uris: ['http://localhost/cb', 'https://localhost/cb'] },
      [['redirect_uris[1]', 'redirect_uri']],
    ],
    [{ post_logout_redirect_uris: ['javascript:1'] }, [['post_logout_redirect_uris[0]', 'redirect_uri']]],
    [{ backchannel_logout_uri: 'com.example.shop:/x' }, [['backchannel_logout_uri', 'web_uri']]],
    [{ logo: 'http://a.example/x.png' }, [['logo', 'avatar']]],
    [{ grant_types: ['password'] }, [['grant_types[0]', 'one_of']]],
    [{ grant_types: ['implicit'] }, [['grant_types[0]', 'one_of']]],
    [{ grant_types: ['refresh_token'] }, [['grant_types', 'code_needed']]],
    [{ grant_types: ['client_credentials'], is_public: true }, [['grant_types', 'secret_needed']]],
    [{ scopes: ['openid', 'none:such'] }, [['scopes[1]', 'unknown_scope']]],
    [{ scopes: ['role:*'] }, [['scopes[0]', 'unknown_scope']]],
    [{ scopes: ['*'] }, [['scopes[0]', 'unknown_scope']]],
    [{ client_id: 'mine' }, [['client_id', 'unknown_field']]],
    [{ owner_id: '01900000-0000-7000-8000-000000000000' }, [['owner_id', 'unknown_field']]],
    [{ client_secret: 'chosen' }, [['client_secret', 'unknown_field']]],
  ])('is rejected with %j', async (more, fields) => {
    const body = { name: 'Shop', redirect_uris: [CALLBACK], ...more };
    const answer = await ann.client.post<Problem>('/api/oauth/client', body);
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, fields]);
  });

  it('gets no permission scope that its creator lacks, and cannot be first-party for other users', async () => {
    for (const more of [{ scopes: ['role:delete'] }, { first_party: true }]) {
      const body = { name: 'Shop', redirect_uris: [CALLBACK], ...more };
      expectProblem(await ann.client.post('/api/oauth/client', body), 403, 'escalation_denied');
      const { id } = await create(ann.client);
      expectProblem(await ann.client.patch(`/api/oauth/client/${id}`, more), 403, 'escalation_denied');
      expect((await admin.patch(`/api/oauth/client/${id}`, more)).status).toBe(200);
    }
  });

  it('is updated field by field and audited', async () => {
    const { id } = await create(ann.client);
    const change = {
      name: 'New',
      description: 'x',
      redirect_uris: ['https://new.example.com/cb'],
      grant_types: ['authorization_code'],
      enabled: false,
    };
    expect((await ann.client.patch(`/api/oauth/client/${id}`, change)).body).toMatchObject({ id, ...change });
    expect((await ann.client.patch(`/api/oauth/client/${id}`, { is_public: true })).status).toBe(400);
    expect((await ann.client.delete(`/api/oauth/client/${id}`)).status).toBe(204);
    expect((await ann.client.get(`/api/oauth/client/${id}`)).status).toBe(404);
    const events = await service.query<{ action: string; actor_id: string }>(
      'SELECT action, actor_id FROM audit_event WHERE target_id = $1 ORDER BY id',
      [id],
    );
    expect(events).toEqual(
      ['oauth_client.create', 'oauth_client.update', 'oauth_client.delete'].map((action) => ({
        action,
        actor_id: ann.id,
      })),
    );
  });

  it('has neither its secrets nor their digests in the audit log', async () => {
    const made = await create(ann.client);
    const path = `/api/oauth/client/${made.id}`;
    const { body } = await ann.client.post<Client>(`${path}/secret`, { overlap_seconds: 3_600 });
    await ann.client.patch(path, { name: 'Renamed' });
    await ann.client.delete(path);
    const events = await service.query<{ action: string; after: object | null }>(
      'SELECT * FROM audit_event WHERE target_id = $1 ORDER BY id',
      [made.id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'oauth_client.create',
      'oauth_client.rotate_secret',
      'oauth_client.update',
      'oauth_client.delete',
    ]);
    expect(events[1]!.after).toEqual({ overlap_seconds: 3_600 });
    const recorded = JSON.stringify(events);
    for (const secret of [made.client_secret, body.client_secret]) {
      expect(recorded).not.toContain(secret);
      expect(recorded).not.toContain(hashOf(secret));
    }
  });

  itOnServer('takes the permission lock before its row lock when its rights change', async () => {
    const { id } = await create(admin);
    await service.query('BEGIN');
    await service.query(HOLD_AUTHORITY);
    const change = admin.patch(`/api/oauth/client/${id}`, { scopes: ['openid', 'role:read'] });
    try {
      await eventually(
        () => service.query(SOMEBODY_WAITS),
        (rows) => rows.length > 0,
      );
      await service.query('SELECT 1 FROM oauth_client WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    } finally {
      await service.query('ROLLBACK');
    }
    expect((await change).status).toBe(200);
  });

  it('gets a new secret and keeps the previous one only during the overlap', async () => {
    const made = await create(ann.client);
    const first = await ann.client.post<Client>(`/api/oauth/client/${made.id}/secret`, { overlap_seconds: 3_600 });
    expect(first.status).toBe(200);
    expect(await stored(made)).toMatchObject({
      secret_hash: hashOf(first.body.client_secret),
      former_secret_hash: hashOf(made.client_secret),
    });
    const second = await ann.client.post<Client>(`/api/oauth/client/${made.id}/secret`, {});
    expect(await stored(made)).toMatchObject({
      secret_hash: hashOf(second.body.client_secret),
      former_secret_hash: null,
      former_secret_until: null,
    });
    expect((await ann.client.post(`/api/oauth/client/${made.id}/secret`, { overlap_seconds: 604_801 })).status).toBe(
      400,
    );
  });
});

describe('owner of an OAuth client', () => {
  it('sees and changes only own clients, as administrators can', async () => {
    const { id } = await create(ann.client);
    const acts: ((client: TestClient) => Promise<{ status: number }>)[] = [
      (client) => client.get(`/api/oauth/client/${id}`),
      (client) => client.patch(`/api/oauth/client/${id}`, { name: 'Mine' }),
      (client) => client.post(`/api/oauth/client/${id}/secret`, {}),
      (client) => client.delete(`/api/oauth/client/${id}`),
    ];
    const reader = await userWith(service, admin, 'reader', 'oauth_client:read');
    for (const act of acts) expect((await act(bob.client)).status).toBe(404);
    const [show, ...changes] = acts;
    expect((await show!(reader.client)).status).toBe(200);
    for (const act of changes) expect((await act(reader.client)).status).toBe(403);
    expect((await ann.client.get<{ name: string }>(`/api/oauth/client/${id}`)).body.name).toBe('Shop');
    expect((await admin.patch(`/api/oauth/client/${id}`, { name: 'Ours' })).status).toBe(200);
  });

  it('lists own clients, readers list all, newest first and by page', async () => {
    const mine = await create(bob.client);
    const last = await create(ann.client);
    const list = async (client: TestClient, page = ''): Promise<{ items: Client[]; total: number }> =>
      (await client.get<{ items: Client[]; total: number }>(`/api/oauth/client${page}`)).body;
    expect((await list(bob.client)).items.map(({ id }) => id)).toEqual([mine.id]);
    const all = await list(admin, '?page_size=2');
    expect(all.items.map(({ id }) => id)).toEqual([last.id, mine.id]);
    expect(all.total).toBeGreaterThan(2);
    expect((await admin.get('/api/oauth/client?page=0')).status).toBe(400);
  });

  it.each(['by their own request', 'by an administrator'])(
    'leaves the client disabled and without an owner when deleted %s',
    async (by) => {
      const eve = await userWith(service, admin, `eve_${by.length}`, 'oauth_client:create');
      const { id, client_id: clientId } = await create(eve.client);
      await service.query(
        `INSERT INTO oauth_artifact (model, id, payload, client_id, expires_at)
         VALUES ('ClientCredentials', $1, '{}', $1, now() + interval '1 hour')`,
        [clientId],
      );
      // As left by an instance of the former version that enables a client which the service has disabled.
      await service.query('UPDATE oauth_client SET disabled_by_service = true WHERE id = $1', [id]);
      const deletion =
        by === 'by their own request' ? eve.client.delete('/api/auth/me') : admin.delete(`/api/user/${eve.id}`);
      expect((await deletion).status).toBe(204);
      expect(await service.query('SELECT 1 FROM oauth_artifact WHERE client_id = $1', [clientId])).toEqual([]);
      const { body: kept } = await admin.get<Client>(`/api/oauth/client/${id}`);
      expect(kept).toMatchObject({ enabled: false, owner_id: null });
      expect(kept).not.toHaveProperty('disabled_by_service');
      expect(
        await service.query(
          `SELECT before, after FROM audit_event WHERE action = 'oauth_client.disable' AND target_id = $1`,
          [id],
        ),
      ).toEqual([{ before: { owner_id: eve.id, enabled: true }, after: { owner_id: null, enabled: false } }]);
      const reader = await service.logIn('reader', PASSWORD);
      expectProblem(await reader.patch(`/api/oauth/client/${id}`, { enabled: true }), 403, 'permission_denied');
      expect((await admin.patch(`/api/oauth/client/${id}`, { enabled: true })).status).toBe(200);
    },
  );
});
