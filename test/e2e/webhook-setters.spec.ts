import type { QueryRunner } from 'typeorm';
import { KnowWhoSetWebhooks1760175000000 } from '../../migrations/1760175000000-know-who-set-webhooks';
import { newId } from '../../src/platform/crypto';
import { recordAct } from '../support/receivers/events';
import { eventually } from '../support/service/eventually';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { ReceivedDelivery, WebhookReceiver } from '../support/receivers/webhook-receiver';
import { withService } from '../support/service/with-service';
import { fake } from '../support/service/fake';

interface Webhook {
  readonly id: string;
  readonly enabled: boolean;
  readonly suspended: boolean;
  readonly disabled_reason: string | null;
  readonly set_by: string | null;
}

const MAY = ['webhook:create', 'webhook:update', 'event:read'];

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

interface Place {
  readonly setter: UserWithGrants;
  readonly receiver: WebhookReceiver;
  readonly path: string;
  readonly id: string;
}

async function setUp(permissions = MAY, body: object = {}): Promise<Place> {
  const setter = await anyUserWith(service, admin, ...permissions);
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  const given = { name: 'Mirror', url: receiver.url, types: ['group.*'], ...body };
  const answer = await setter.client.post<Webhook>('/api/webhook', given);
  if (answer.status !== 201) throw new Error(answer.text);
  expect(answer.body).toMatchObject({ set_by: setter.id, disabled_reason: null });
  return { setter, receiver, path: `/api/webhook/${answer.body.id}`, id: answer.body.id };
}

const about =
  (subject: string) =>
  ({ event }: ReceivedDelivery): boolean =>
    event.subject?.id === subject;
const shown = async ({ path }: Place): Promise<Webhook> => (await admin.get<Webhook>(path)).body;
const untilOff = (place: Place): Promise<Webhook> =>
  eventually(
    () => shown(place),
    ({ enabled, suspended }) => !enabled || suspended,
    40,
  );
const arrives = async ({ receiver }: Place): Promise<void> => {
  const id = await recordAct(service, 'wanted');
  expect(await receiver.until(1, about(id))).toHaveLength(1);
};
const take = ({ setter }: Place, ...permissions: string[]): Promise<{ status: number }> =>
  admin.patch(`/api/user/${setter.id}/permissions`, { remove: permissions });
const give = ({ setter }: Place, ...permissions: string[]): Promise<{ status: number }> =>
  admin.patch(`/api/user/${setter.id}/permissions`, { add: permissions.map((id) => ({ permission_id: id })) });
const audited = ({ id }: Place): Promise<object[]> =>
  service.query(
    `SELECT action, actor_id, after FROM audit_event WHERE target_id = $1
       AND action IN ('webhook.suspend', 'webhook.restore', 'webhook.disable') ORDER BY id`,
    [id],
  );

describe('a webhook acts for the user who last set it, and', () => {
  it.each([
    ['may not read events', (place: Place) => take(place, 'event:read')],
    ['may not set webhooks', (place: Place) => take(place, 'webhook:create', 'webhook:update')],
    ['is disabled', ({ setter }: Place) => admin.patch(`/api/user/${setter.id}`, { status: 'disabled' })],
  ])('sends nothing while the user %s', async (_, end) => {
    const place = await setUp();
    await arrives(place);
    expect((await end(place)).status).toBe(200);
    const id = await recordAct(service, 'secret');
    expect(await untilOff(place)).toMatchObject({ enabled: true, suspended: true, set_by: place.setter.id });
    expect(place.receiver.received.filter(about(id))).toEqual([]);
    expect(await audited(place)).toEqual([
      { action: 'webhook.suspend', actor_id: null, after: { set_by: place.setter.id } },
    ]);
    expect(service.logLines.some((line) => line.includes('Suspended a webhook whose setter may not send events'))).toBe(
      true,
    );
    await admin.patch(`/api/user/${place.setter.id}`, { status: 'active' });
    await give(place, ...MAY);
    expect(await place.receiver.until(1, about(id))).toHaveLength(1);
    expect(await shown(place)).toMatchObject({ enabled: true, suspended: false, set_by: place.setter.id });
    expect((await audited(place)).at(-1)).toMatchObject({ action: 'webhook.restore' });
  });

  it('is disabled once the user is deleted', async () => {
    const place = await setUp();
    await admin.delete(`/api/user/${place.setter.id}`);
    const id = await recordAct(service, 'secret');
    expect(await untilOff(place)).toMatchObject({ enabled: false, disabled_reason: 'setter_unauthorized' });
    expect(place.receiver.received.filter(about(id))).toEqual([]);
    expect(await audited(place)).toEqual([
      { action: 'webhook.disable', actor_id: null, after: { enabled: false, set_by: place.setter.id } },
    ]);
  });

  it('stays suspended when it is renamed, and is disabled if events were deleted meanwhile', async () => {
    const place = await setUp();
    await take(place, 'event:read');
    await recordAct(service, 'missed');
    await untilOff(place);
    expect((await admin.patch<Webhook>(place.path, { name: 'Renamed' })).body).toMatchObject({ suspended: true });
    await service.query('UPDATE webhook SET position = -1');
    await give(place, 'event:read');
    const off = await eventually(
      () => shown(place),
      ({ enabled }) => !enabled,
      40,
    );
    expect(off).toMatchObject({ suspended: false, disabled_reason: 'setter_unauthorized' });
  });

  it('continues where it stopped when a user who may set it enables it, and acts for this user then', async () => {
    const place = await setUp();
    await take(place, 'event:read');
    const missed = await recordAct(service, 'missed');
    await untilOff(place);
    const other = await anyUserWith(service, admin, ...MAY);
    const saved = await other.client.patch<Webhook>(place.path, { enabled: true });
    expect(saved.body).toMatchObject({ enabled: true, disabled_reason: null, set_by: other.id });
    expect(await place.receiver.until(1, about(missed))).toHaveLength(1);
    await admin.delete(`/api/user/${place.setter.id}`);
    await arrives(place);
  });

  it('needs what creating or changing it needs, no more', async () => {
    const place = await setUp(['webhook:create', 'event:read']);
    await arrives(place);
    await give(place, 'webhook:update');
    await take(place, 'webhook:create');
    await arrives(place);
    expect(await shown(place)).toMatchObject({ enabled: true });
  });

  it('sends no Security Event Tokens once the user may not administer users', async () => {
    const tokens = { format: 'caep', audience: 'https://receiver.example', types: [] };
    const place = await setUp([...MAY, 'user:admin'], tokens);
    await take(place, 'user:admin');
    await recordAct(service, 'any');
    expect(await untilOff(place)).toMatchObject({ suspended: true });
    expect(place.receiver.received).toEqual([]);
  });

  it('keeps its setter when another user only renames it', async () => {
    const place = await setUp();
    expect((await admin.patch<Webhook>(place.path, { name: 'Renamed' })).body.set_by).toBe(place.setter.id);
    const { id } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect((await admin.patch<Webhook>(place.path, { types: [] })).body.set_by).toBe(id);
  });

  it('belongs to the service where the user is unknown', async () => {
    const place = await setUp();
    await service.query('UPDATE webhook SET set_by = NULL');
    await admin.delete(`/api/user/${place.setter.id}`);
    await arrives(place);
    expect(await shown(place)).toMatchObject({ enabled: true, set_by: null });
  });

  it('has the setter whom the audit log names after the upgrade, without one the service', async () => {
    const migrate = async (): Promise<void> => {
      const runner = fake<QueryRunner>({ query: (sql: string) => service.query(sql) });
      const migration = new KnowWhoSetWebhooks1760175000000();
      await migration.down(runner);
      await migration.up(runner);
    };
    const place = await setUp(MAY, { enabled: false });
    await admin.patch(place.path, { name: 'Renamed' });
    await migrate();
    expect((await shown(place)).set_by).toBe(place.setter.id);
    const { id } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    await admin.patch(place.path, { url: `${place.receiver.url}/other` });
    await migrate();
    expect((await shown(place)).set_by).toBe(id);
    const unknown = newId();
    await service.query('UPDATE webhook SET id = $1', [unknown]);
    await migrate();
    expect((await shown({ ...place, path: `/api/webhook/${unknown}` })).set_by).toBeNull();
  });
});
