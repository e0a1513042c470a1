import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { EncryptionKeys, SecretBox } from '../../src/platform/crypto';
import { StartupTasks } from '../../src/platform/database';
import { endOfFeed, recordAct } from '../support/receivers/events';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { messagesTo } from '../support/receivers/inbox';
import { Problem, TestClient } from '../support/service/test-client';
import { TEST_KEYS, TestService } from '../support/service/test-service';
import { ReceivedDelivery, signatureOf, WebhookReceiver } from '../support/receivers/webhook-receiver';
import { withService } from '../support/service/with-service';

interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly failing_since: string | null;
  readonly enabled: boolean;
}
interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly event: { readonly id: string; readonly type: string };
}

interface Guide {
  verify(secret: string, headers: object, body: string, now?: number): unknown;
}

/** The JavaScript of the guide, which has one block of it. */
function loadGuide(): Guide {
  const page = readFileSync(join(__dirname, '../../docs/guides/webhooks.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const loaded: { exports: Partial<Guide> } = { exports: {} };
  const run = runInThisContext(`(function (require, exports) {${outputText}\n})`) as (...given: unknown[]) => void;
  run(require, loaded.exports);
  return loaded.exports as Guide;
}

const guide = loadGuide();

let service: TestService;
let admin: TestClient;
const receivers: WebhookReceiver[] = [];

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

afterEach(async () => {
  await service.query('DELETE FROM webhook');
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

async function receive(body: object = {}): Promise<{ receiver: WebhookReceiver; webhook: Webhook }> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  const types = ['group.*'];
  const answer = await admin.post<Webhook>('/api/webhook', { name: 'Test', url: receiver.url, types, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return { receiver, webhook: answer.body };
}

const about =
  (...subjects: string[]) =>
  ({ event }: ReceivedDelivery): boolean =>
    subjects.includes(event.subject?.id ?? '');
const subjectOf = ({ event }: ReceivedDelivery): string | undefined => event.subject?.id;
const deliveries = async ({ id }: Webhook, query = ''): Promise<Delivery[]> =>
  (await admin.get<{ items: Delivery[] }>(`/api/webhook/${id}/deliveries${query}`)).body.items;
const deliveriesUntil = (webhook: Webhook, isDone: (items: Delivery[]) => boolean): Promise<Delivery[]> =>
  eventually(() => deliveries(webhook), isDone, 40);
const retryNow = (): Promise<unknown> => service.query(`UPDATE webhook_delivery SET next_at = now()`);

describe('webhooks', () => {
  it('deliver each wanted event, signed, with ids only', async () => {
    const { receiver, webhook } = await receive({ headers: { authorization: 'Bearer receiver' } });
    const user = await service.signUp('ann');
    const id = await recordAct(service, 'a group');
    const [delivery] = await receiver.until(1, about(id));
    expect(delivery!.headers).toMatchObject({
      authorization: 'Bearer receiver',
      'content-type': 'application/json',
      'webhook-id': delivery!.event.id,
      'webhook-signature': signatureOf(webhook.secret, delivery!),
    });
    const sentAt = Number(delivery!.headers['webhook-timestamp']) * 1_000;
    expect(Math.abs(Date.now() - sentAt)).toBeLessThan(60_000);
    expect(delivery!.event).toMatchObject({ type: 'group.created', subject: { id, name: null }, data: { version: 1 } });
    expect(receiver.received.filter(({ event }) => !event.type.startsWith('group.'))).toEqual([]);
    const [stored] = await deliveriesUntil(webhook, ([first]) => first?.state === 'delivered');
    expect(stored).toMatchObject({ attempts: 1, status: 204, answer: '', error: null, event: delivery!.event });
    expect((await admin.get<{ last_success_at: string }>(`/api/webhook/${webhook.id}`)).body.last_success_at).toEqual(
      expect.any(String),
    );
    await user.post('/api/auth/logout');
  });

  it.each<[string, WebhookReceiver['answer'], string]>([
    ['compressed', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x')), ''],
    ['long', (response) => response.writeHead(200).end('x'.repeat(1_000_000)), 'x'.repeat(500)],
  ])('are delivered when the answer is %s', async (_, answer, shown) => {
    const { receiver, webhook } = await receive();
    receiver.answer = answer;
    await recordAct(service, 'accepted');
    const [delivered] = await deliveriesUntil(webhook, ([first]) => first !== undefined && first.attempts > 0);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: 1, status: 200, answer: shown, error: null });
  });

  it('are verified by the example of the guide', async () => {
    const { receiver, webhook } = await receive();
    const id = await recordAct(service, 'verified');
    const [{ headers, text, event }] = (await receiver.until(1, about(id))) as [ReceivedDelivery];
    expect(guide.verify(webhook.secret, headers, text)).toEqual(event);
    const rejected: [string, object, string, number][] = [
      ['another secret', headers, text, Date.now()],
      [webhook.secret, headers, text.replace('group', 'Group'), Date.now()],
      [webhook.secret, { ...headers, 'webhook-id': 'other' }, text, Date.now()],
      [webhook.secret, headers, text, Date.now() + 400_000],
    ];
    for (const call of rejected) expect(() => guide.verify(...call)).toThrow(/signature|old/);
  });

  it('carry both signatures while secrets overlap', async () => {
    const { receiver, webhook } = await receive();
    const { body } = await admin.post<{ secret: string }>(`/api/webhook/${webhook.id}/secret`, { overlap_seconds: 60 });
    const id = await recordAct(service, 'overlap');
    const [during] = await receiver.until(1, about(id));
    const both = [body.secret, webhook.secret].map((secret) => signatureOf(secret, during!)).join(' ');
    expect(during!.headers['webhook-signature']).toBe(both);
    await service.query(`UPDATE webhook SET former_secret_until = now(), updated_at = now()`);
    const later = await recordAct(service, 'after');
    const [after] = await receiver.until(1, about(later));
    expect(after!.headers['webhook-signature']).toBe(signatureOf(body.secret, after!));
  });

  it('repeat a failed delivery with the same id, before later events of its subject', async () => {
    const { receiver, webhook } = await receive({ types: ['user.*'] });
    receiver.answer = (response) => response.writeHead(500).end('not now');
    const user = await service.signUp('bob');
    const { id } = (await user.get<{ id: string }>('/api/auth/me')).body;
    await receiver.until(1, about(id));
    await user.patch('/api/auth/me', { nickname: 'B' });
    const [newest] = await deliveriesUntil(webhook, (items) => items.length === 2 && items[1]!.attempts === 1);
    expect(newest).toMatchObject({ state: 'pending', attempts: 0, event: { type: 'user.updated' } });
    const [, failed] = await deliveries(webhook);
    expect(failed).toMatchObject({ status: 500, answer: 'not now', event: { type: 'user.created' } });
    const shown = await admin.get<Webhook>(`/api/webhook/${webhook.id}`);
    expect(shown.body.failing_since).toEqual(expect.any(String));

    receiver.answer = (response) => response.writeHead(204).end();
    await retryNow();
    const all = await receiver.until(3, about(id));
    expect(all.map(({ event }) => event.type)).toEqual(['user.created', 'user.created', 'user.updated']);
    expect(all[1]!.headers['webhook-id']).toBe(all[0]!.headers['webhook-id']);
    expect(all[1]!.text).toBe(all[0]!.text);
    await deliveriesUntil(webhook, (items) => items.every(({ state }) => state === 'delivered'));
    expect((await admin.get<Webhook>(`/api/webhook/${webhook.id}`)).body.failing_since).toBeNull();
  });

  it('do not wait for a receiver that hangs', async () => {
    const hanging = await receive();
    hanging.receiver.answer = () => undefined;
    const other = await receive();
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push(await recordAct(service, `event ${count}`));
    const arrived = await other.receiver.until(10, about(...ids));
    expect(arrived.map(({ event }) => event.subject?.id).sort()).toEqual([...ids].sort());
    expect((await deliveries(hanging.webhook)).filter(({ state }) => state === 'delivered')).toEqual([]);
  });

  it.each([
    ['disabling', (path: string) => admin.patch(path, { enabled: false }), 0],
    ['deleting', (path: string) => admin.delete(path), 0],
    ['moving', (path: string, url: string) => admin.patch(path, { url }), 6],
  ])('that wait for a place are not sent to the receiver after %s the webhook', async (_, stop, movedCount) => {
    const { receiver, webhook } = await receive({ enabled: false });
    const { receiver: other } = await receive({ enabled: false });
    const responses: ServerResponse[] = [];
    receiver.answer = (response) => responses.push(response);
    const ids: string[] = [];
    for (let count = 0; count < 10; count++) ids.push(await recordAct(service, `waiting ${count}`));
    await endOfFeed(service, admin);
    await admin.patch(`/api/webhook/${webhook.id}`, { enabled: true });
    await receiver.until(4, about(...ids));
    expect((await stop(`/api/webhook/${webhook.id}`, other.url)).status).toBeLessThan(300);
    receiver.answer = (response) => response.writeHead(204).end();
    for (const response of responses) response.writeHead(204).end();
    await other.until(movedCount, about(...ids));
    const probe = await receive();
    const last = await recordAct(service, 'last');
    await probe.receiver.until(1, about(last));
    const sent = [receiver, other].map(({ received }) => received.filter(about(...ids)).map(subjectOf));
    expect(sent.map(({ length }) => length)).toEqual([4, movedCount]);
    expect(new Set(sent.flat()).size).toBe(4 + movedCount);
  });

  it('are disabled after the last attempt, and continue when they are enabled again', async () => {
    await service.query(`UPDATE user_account SET email = 'o@example.com', email_key = 'o@example.com', email_verified = true
                         WHERE username = 'admin'`);
    const { receiver, webhook } = await receive();
    receiver.answer = (response) => response.writeHead(503).end();
    const lost = await recordAct(service, 'lost');
    await deliveriesUntil(webhook, ([first]) => first?.attempts === 1);
    await service.query('UPDATE webhook_delivery SET attempts = 7, next_at = now()');
    const [failed] = await deliveriesUntil(webhook, ([first]) => first?.state === 'failed');
    expect(failed).toMatchObject({ attempts: 8, status: 503 });
    const path = `/api/webhook/${webhook.id}`;
    await eventually(
      async () => (await admin.get<Webhook>(path)).body.enabled,
      (enabled) => !enabled,
    );
    const events = await service.query(`SELECT outcome FROM audit_event WHERE action = 'webhook.disable'`);
    expect(events).toEqual([{ outcome: 'success' }]);
    await eventually(
      async () => messagesTo(service, 'o@example.com').map(({ text }) => text),
      (texts) => texts.some((text) => text.includes('webhook Test')),
    );

    const later = await recordAct(service, 'later');
    receiver.answer = (response) => response.writeHead(204).end();
    expect((await admin.patch(path, { enabled: true })).status).toBe(200);
    await receiver.until(1, about(later));
    expect((await deliveries(webhook, '?state=failed')).map(({ id }) => id)).toEqual([failed!.id]);
    const retried = await admin.post<Delivery>(`${path}/deliveries/${failed!.id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { state: 'pending', attempts: 0 } });
    const again = await receiver.until(3, about(lost));
    expect(new Set(again.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('deliver past events again, with their ids', async () => {
    const { receiver, webhook } = await receive();
    const from = new Date(Date.now() - 1).toISOString();
    const ids = [await recordAct(service, 'one'), await recordAct(service, 'two')];
    const first = await receiver.until(2, about(...ids));
    expect((await admin.post(`/api/webhook/${webhook.id}/replay`, { from })).status).toBe(202);
    const all = await receiver.until(4, about(...ids));
    const sorted = (sent: ReceivedDelivery[]): string[] => sent.map(({ text }) => text).sort();
    expect(sorted(all.slice(2))).toEqual(sorted(first));
  });

  it('show the answer to a test event', async () => {
    const { receiver, webhook } = await receive({ enabled: false });
    const path = `/api/webhook/${webhook.id}/test`;
    receiver.answer = (response) => response.writeHead(418).end(`short\0${'x'.repeat(2_000)}`);
    const { status, body } = await admin.post<Delivery>(path);
    expect([status, body]).toMatchObject([200, { state: 'failed', status: 418, event: { type: 'webhook.test' } }]);
    expect(body.answer).toHaveLength(500);
    await receiver.stop();
    receivers.splice(0);
    expect((await admin.post<Delivery>(path)).body).toMatchObject({ status: null, answer: null, error: 'unreachable' });
    const actions = await service.query('SELECT action FROM audit_event WHERE action = $1', ['webhook.test']);
    expect(actions).toHaveLength(2);
  });

  it('send one test event at a time', async () => {
    const { receiver, webhook } = await receive({ enabled: false });
    const { webhook: other } = await receive({ enabled: false });
    const responses: ServerResponse[] = [];
    receiver.answer = (response) => responses.push(response);
    const path = `/api/webhook/${webhook.id}/test`;
    const first = admin.post<Delivery>(path);
    await receiver.until(1, () => true);
    const second = await admin.post<Problem>(path);
    expectProblem(second, 429, 'rate_limited');
    expect(second.headers['retry-after']).toBe('10');
    expect((await admin.post<Delivery>(`/api/webhook/${other.id}/test`)).body.state).toBe('delivered');
    responses[0]!.writeHead(204).end();
    expect((await first).body.state).toBe('delivered');
    expect(await deliveries(webhook)).toHaveLength(1);
    receiver.answer = (response) => response.writeHead(204).end();
    expect((await admin.post<Delivery>(path)).body.state).toBe('delivered');
  });

  it('are taken over when the lease of another instance has ended', async () => {
    const { receiver } = await receive();
    await service.query(`UPDATE webhook SET leased_by = gen_random_uuid(), leased_until = now() + interval '1 second'`);
    const id = await recordAct(service, 'taken over');
    expect(await receiver.until(1, about(id))).toHaveLength(1);
  });

  it('are signed with the same secret after the encryption key was replaced', async () => {
    const { receiver, webhook } = await receive({ headers: { authorization: 'Bearer receiver' } });
    const box = service.app.get(SecretBox);
    const former = box.ring;
    const [fresh] = EncryptionKeys.generate().split(',');
    box.use(EncryptionKeys.parse(`new:${fresh!.split(':')[1]},${TEST_KEYS}`));
    await service.app.get(StartupTasks).runStage('secrets');
    const [stored] = await service.query<{ sealed: string }>('SELECT secret || headers AS sealed FROM webhook');
    expect(stored!.sealed.match(/enc:v1:new:/g)).toHaveLength(2);
    const id = await recordAct(service, 'after the change');
    const [delivery] = (await receiver.until(1, about(id))) as [ReceivedDelivery];
    expect(delivery.headers).toMatchObject({
      authorization: 'Bearer receiver',
      'webhook-signature': signatureOf(webhook.secret, delivery),
    });
    box.use(former);
  });

  it('answer 404 for unknown webhooks and deliveries', async () => {
    const { webhook } = await receive();
    const unknown = '01900000-0000-7000-8000-000000000000';
    const from = new Date().toISOString();
    expectProblem(await admin.get(`/api/webhook/${unknown}/deliveries`), 404, 'not_found');
    expectProblem(await admin.post(`/api/webhook/${unknown}/test`), 404, 'not_found');
    expectProblem(await admin.post(`/api/webhook/${unknown}/replay`, { from }), 404, 'not_found');
    expectProblem(await admin.post(`/api/webhook/${webhook.id}/deliveries/${unknown}/retry`), 404, 'not_found');
    const actions = ['webhook.replay', 'webhook.retry'];
    const events = await service.query('SELECT DISTINCT action FROM audit_event WHERE action = ANY($1) ORDER BY 1', [
      actions,
    ]);
    expect(events).toEqual([{ action: 'webhook.replay' }, { action: 'webhook.retry' }]);
  });
});
