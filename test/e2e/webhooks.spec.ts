import { FEED_START } from '../../src/events/feed/feed-position';
import { allowPrivateProviders } from '../../src/platform/outbound';
import { logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { WebhookReceiver } from '../support/receivers/webhook-receiver';
import { withService } from '../support/service/with-service';

interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly headers: Record<string, null>;
  readonly secret?: string;
}

const BODY = { name: 'Billing', url: 'https://192.0.2.1/events' };
const WEBHOOK_MEMBERS =
  'audience created_at disabled_reason enabled failing_since format headers id last_success_at name secret_set set_by suspended types updated_at url'.split(
    ' ',
  );

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const create = (body: object = {}): Promise<Answer<Webhook & Problem>> =>
  admin.post<Webhook & Problem>('/api/webhook', { ...BODY, ...body });
async function created(body: object = {}): Promise<Webhook> {
  const { status, body: webhook, text } = await create(body);
  if (status !== 201) throw new Error(text);
  return webhook;
}
const audited = (id: string): Promise<{ action: string; after: object }[]> =>
  service.query('SELECT action, after FROM audit_event WHERE target_id = $1 ORDER BY id', [id]);

describe('/api/webhook', () => {
  it('creates, shows, changes and deletes a webhook, and shows its secret once', async () => {
    const webhook = await created({ types: ['user.*'], headers: { Authorization: 'Bearer receiver' } });
    expect(Object.keys(webhook).sort()).toEqual([...WEBHOOK_MEMBERS, 'secret'].sort());
    expect(webhook).toMatchObject({ enabled: true, types: ['user.*'], headers: { authorization: null } });
    expect(Buffer.from(webhook.secret!.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);

    const path = `/api/webhook/${webhook.id}`;
    const shown = await admin.get<Webhook>(path);
    expect(Object.keys(shown.body).sort()).toEqual(WEBHOOK_MEMBERS);
    expect(shown.text).not.toContain('receiver');
    expect((await admin.get<{ items: Webhook[] }>('/api/webhook')).body.items).toContainEqual(shown.body);

    const changed = await admin.patch<Webhook>(path, { name: 'Ledger', enabled: false, headers: {} });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Ledger', enabled: false, headers: {} } });
    expect((await admin.post<{ secret: string }>(`${path}/secret`, {})).body.secret).not.toBe(webhook.secret);
    expect((await admin.delete(path)).status).toBe(204);
    expectProblem(await admin.get(path), 404, 'not_found');
    const events = await audited(webhook.id);
    expect(events.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.update',
      'webhook.rotate_secret',
      'webhook.delete',
    ]);
    expect(events[0]!.after).toEqual({
      name: 'Billing',
      host: '192.0.2.1',
      types: ['user.*'],
      enabled: true,
      headers: ['authorization'],
    });
    expect(JSON.stringify(events)).not.toContain('receiver');
  });

  it.each([
    ['a name without a visible character', { name: ' ' }, 'name', 'visible'],
    ['tokens without an audience', { format: 'caep' }, 'audience', 'required'],
    ['an audience without tokens', { audience: 'https://a.example' }, 'audience', 'unknown_field'],
    ['an unknown format', { format: 'pigeon' }, 'format', 'one_of'],
    ['no URL', { url: undefined }, 'url', 'required'],
    ['plain http to a public address', { url: 'http://93.184.216.34/' }, 'url', 'https_address'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url', 'https_address'],
    ['credentials in the URL', { url: 'https://a:b@example.com/' }, 'url', 'https_address'],
    ['an unknown type', { types: ['user.none'] }, 'types[0]', 'event_types'],
    ['an inherited name as a type', { types: ['constructor'] }, 'types[0]', 'event_types'],
    ['a header of the signature', { headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id', 'header_name'],
    ['the host', { headers: { host: 'x' } }, 'headers.host', 'header_name'],
    ['the length', { headers: { 'Content-Length': '1' } }, 'headers.Content-Length', 'header_name'],
    ['a header name with a space', { headers: { 'a b': 'x' } }, 'headers.a b', 'header_name'],
    ['a header of two lines', { headers: { a: 'x\r\nb: y' } }, 'headers.a', 'header_value'],
    ['a header that is no text', { headers: { a: 1 } }, 'headers.a', 'header_value'],
    ['null for a header that is not stored', { headers: { a: null } }, 'headers.a', 'required'],
    ['a header twice', { headers: { a: 'x', A: 'y' } }, 'headers', 'unique'],
    [
      'too many headers',
      { headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`h${n}`, 'x'])) },
      'headers',
      'max_items',
    ],
    ['an unknown member', { secret: 'whsec_x' }, 'secret', 'unknown_field'],
  ])('rejects %s', async (_, body, field, code) => {
    const { status, body: problem } = await create(body);
    expect([status, problem.errors]).toMatchObject([400, [{ field, code }]]);
  });

  it('rejects private addresses unless the setting allows them', async () => {
    await service.set(allowPrivateProviders, false);
    const { body } = await create({ url: 'https://127.0.0.1/' });
    expect(body.errors).toMatchObject([{ field: 'url', code: 'private_address' }]);
    await service.set(allowPrivateProviders, true);
    expect((await create({ url: 'http://127.0.0.1/' })).status).toBe(201);
  });

  it('sends a stored header to no other origin', async () => {
    const { id } = await created({ headers: { authorization: 'Bearer receiver' } });
    const path = `/api/webhook/${id}`;
    const same = { url: 'https://192.0.2.1/other', headers: { authorization: null } };
    expect((await admin.patch(path, same)).status).toBe(200);
    for (const body of [{}, { headers: { authorization: null } }]) {
      const { status, body: problem } = await admin.patch<Problem>(path, { url: 'https://192.0.2.2/', ...body });
      expect([status, problem.errors]).toMatchObject([400, [{ field: 'headers.authorization', code: 'required' }]]);
    }
    const moved = { url: 'https://192.0.2.2/', headers: { authorization: 'Bearer other' } };
    expect((await admin.patch(path, moved)).status).toBe(200);
  });

  it('sends nothing without headers that cannot be decrypted, and a change keeps those', async () => {
    const receiver = await WebhookReceiver.start();
    const { id } = await created({ url: receiver.url, enabled: false, headers: { authorization: 'Bearer receiver' } });
    const path = `/api/webhook/${id}`;
    const test = async (): Promise<object> => (await admin.post<object>(`${path}/test`)).body;
    const sealed = (): Promise<[{ headers: string }]> =>
      service.query('SELECT headers FROM webhook WHERE id = $1', [id]) as Promise<[{ headers: string }]>;
    const store = (text: string): Promise<unknown> =>
      service.query('UPDATE webhook SET headers = $2 WHERE id = $1', [id, text]);
    const [{ headers }] = await sealed();
    const ofLostKey = headers.replace(/^enc:v1:[^:]+/, 'enc:v1:lost');
    await store(ofLostKey);
    expect(await test()).toMatchObject({ state: 'failed', error: 'secret_unreadable' });
    expect(receiver.received).toEqual([]);

    expect(await admin.patch(path, { name: 'Kept' })).toMatchObject({ status: 200, body: { headers: {} } });
    expect((await admin.patch(path, { url: `${receiver.url}/2` })).status).toBe(200);
    const elsewhere = { url: 'https://192.0.2.1/' };
    const moved = await admin.patch<Problem>(path, elsewhere);
    expect([moved.status, moved.body.errors]).toMatchObject([400, [{ field: 'headers', code: 'required' }]]);
    const named = await admin.patch<Problem>(path, { ...elsewhere, headers: { authorization: null } });
    expect([named.status, named.body.errors]).toMatchObject([400, [{ field: 'headers.authorization' }]]);

    expect(await sealed()).toEqual([{ headers: ofLostKey }]);
    await store(headers);
    expect(await test()).toMatchObject({ state: 'delivered' });
    expect(receiver.received[0]!.headers.authorization).toBe('Bearer receiver');
    await store(ofLostKey);
    expect((await admin.patch(path, { ...elsewhere, headers: {} })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
    await receiver.stop();
  });

  it('gives each permission its routes only', async () => {
    const { id } = await created();
    const calls: readonly [string, (client: TestClient) => Promise<Answer<unknown>>][] = [
      ['webhook:read', (client) => client.get('/api/webhook')],
      ['webhook:create', (client) => client.post('/api/webhook', BODY)],
      ['webhook:update', (client) => client.patch(`/api/webhook/${id}`, { name: 'x' })],
      ['webhook:delete', (client) => client.delete(`/api/webhook/${id}`)],
    ];
    for (const [held] of calls) {
      const { client } = await userWith(service, admin, held.replace(':', '_'), held, 'event:read');
      const allowed = [];
      for (const [permission, call] of calls) if ((await call(client)).status !== 403) allowed.push(permission);
      expect(allowed).toEqual([held]);
    }
  });

  it('requires event:read, too, for all that sends or shows events', async () => {
    const { id } = await created();
    const path = `/api/webhook/${id}`;
    const held = ['webhook:read', 'webhook:create', 'webhook:update'];
    const { client } = await userWith(service, admin, 'without_events', ...held);
    const answers = [
      await client.post<Problem>('/api/webhook', BODY),
      await client.patch<Problem>(path, { url: 'https://192.0.2.3/' }),
      await client.patch<Problem>(path, { types: [] }),
      await client.patch<Problem>(path, { enabled: true }),
      await client.patch<Problem>(path, { headers: {} }),
      await client.post<Problem>(`${path}/secret`, {}),
      await client.post<Problem>(`${path}/replay`, { from: new Date().toISOString() }),
      await client.get<Problem>(`${path}/deliveries`),
      await client.post<Problem>(`${path}/deliveries/${id}/retry`),
    ];
    for (const answer of answers) {
      expectProblem(answer, 403, 'permission_denied');
      expect(answer.text).toContain('event:read');
    }
    expect((await client.patch(path, { name: 'Renamed' })).status).toBe(200);
    expect((await admin.get(path)).body).toMatchObject({ name: 'Renamed', url: BODY.url });
  });

  it('continues after deleted events only where an administrator says', async () => {
    const { id } = await created({ enabled: false });
    const path = `/api/webhook/${id}`;
    await service.query('UPDATE webhook SET position = 1 WHERE id = $1', [id]);
    expectProblem(await admin.patch<Problem>(path, { enabled: true }), 409, 'events_expired');
    expect((await admin.patch(path, { name: 'Later', enabled: false })).status).toBe(200);
    expect((await admin.post(`${path}/replay`, { from: new Date().toISOString() })).status).toBe(202);
    expect((await admin.patch(path, { enabled: true })).status).toBe(200);
  });

  it('starts a webhook at the beginning of the feed unless events were ever deleted', async () => {
    const enabled = async (): Promise<Answer<Problem>> => {
      const { id } = await created({ enabled: false });
      const place = [FEED_START.position, FEED_START.id, id];
      await service.query('UPDATE webhook SET position = $1, position_id = $2 WHERE id = $3', place);
      return admin.patch<Problem>(`/api/webhook/${id}`, { enabled: true });
    };
    expect((await enabled()).status).toBe(200);
    const expired = `INSERT INTO audit_event (id, action, outcome) VALUES (gen_random_uuid(), 'audit.expire', 'success')`;
    await service.query(expired);
    expectProblem(await enabled(), 409, 'events_expired');
  });

  it('requires a recent login to create a webhook, to change its URL or secret, and to replay events', async () => {
    const { id } = await created();
    const path = `/api/webhook/${id}`;
    await userWith(service, admin, 'long_ago', 'webhook:create', 'webhook:update', 'event:read');
    const client = await logInLongAgo(service, 'long_ago');
    const answers = [
      await client.post<Problem>('/api/webhook', BODY),
      await client.patch<Problem>(path, { url: 'https://192.0.2.3/' }),
      await client.post<Problem>(`${path}/secret`, {}),
      await client.post<Problem>(`${path}/replay`, { from: new Date().toISOString() }),
    ];
    for (const answer of answers) expectProblem(answer, 401, 'reauthentication_required');
    expect((await client.patch(path, { url: BODY.url, types: [] })).status).toBe(200);
    expect(await audited(id)).toHaveLength(2);
  });

  it('audits that the URL was changed, without the URL', async () => {
    const { id } = await created();
    await admin.patch(`/api/webhook/${id}`, { url: `${BODY.url}?key=secret` });
    await admin.patch(`/api/webhook/${id}`, { name: 'Ledger' });
    const [, moved, renamed] = await audited(id);
    expect(moved!.after).toMatchObject({ host: '192.0.2.1', url_changed: true });
    expect(renamed!.after).not.toHaveProperty('url_changed');
    expect(JSON.stringify(moved)).not.toContain('key=');
  });

  it('keeps at most 50', async () => {
    let last = await create();
    for (let count = 0; count < 50 && last.status === 201; count++) last = await create();
    expect([last.status, last.body.errors]).toMatchObject([400, [{ field: 'name', code: 'most_webhooks' }]]);
    expect((await admin.get<{ items: object[] }>('/api/webhook')).body.items).toHaveLength(50);
  });
});
