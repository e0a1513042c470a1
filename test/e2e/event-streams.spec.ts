import { eventually } from '../support/service/eventually';
import { endOfFeed, eventsSince, recordAct } from '../support/receivers/events';
import { EventStream } from '../support/receivers/event-stream';
import { createGroup } from '../support/accounts/groups';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { createOrganization } from '../support/organizations/organizations';
import { listen } from '../support/service/raw-http';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

let service: TestService;
let admin: TestClient;
let reader: UserWithGrants;
let port: number;
const open: EventStream[] = [];

beforeAll(async () => {
  service = await TestService.start();
  admin = await service.admin();
  reader = await userWith(service, admin, 'reader', 'event:read');
  port = await listen(service.app);
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

afterAll(() => service.stop());

async function follow(more: { query?: string; lastId?: string } = {}, client = reader.client): Promise<EventStream> {
  const stream = await EventStream.open(port, client, more);
  open.push(stream);
  return stream;
}

const groups = (stream: EventStream): unknown[] =>
  stream.events.filter(({ type }) => type === 'group.created').map(({ data }) => data.subject?.id);

describe('GET /api/event/stream', () => {
  it('requires the permission and valid types', async () => {
    expect((await follow({}, await service.signUp('ann'))).answer.statusCode).toBe(403);
    expect((await follow({ query: '?types=none' })).answer.statusCode).toBe(400);
    expect((await follow({ lastId: 'forged' })).answer.statusCode).toBe(400);
  });

  it('starts now and sends later events of every instance, as the feed has them', async () => {
    const start = await endOfFeed(service, admin);
    const stream = await follow();
    expect(stream.answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const other = await service.another();
    const ids = [await recordAct(service, 'one'), await recordAct(other, 'two')];
    await stream.until(() => groups(stream).length === 2);
    expect(groups(stream)).toEqual(ids);
    const { items } = await eventsSince(service, reader.client, start);
    expect(items).toEqual(expect.arrayContaining(stream.events.map(({ data }) => data)));
  });

  it('continues after the last received event', async () => {
    const first = await follow({ query: '?types=group.*' });
    const ids = [];
    for (const name of ['one', 'two', 'three']) ids.push(await recordAct(service, name));
    await first.until(() => groups(first).length === 3);
    first.close();
    ids.push(await recordAct(service, 'while it is away'));
    const second = await follow({ query: '?types=group.*', lastId: first.events[0]!.id });
    await second.until(() => groups(second).length === 3);
    expect(groups(second)).toEqual(ids.slice(1));
  });

  it('sends only events of the wanted organization', async () => {
    const [acme, other] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'other')];
    const stream = await follow({ query: `?types=group.*&organization_id=${acme.id}` });
    const made = [];
    for (const { id } of [other, acme, other, acme]) {
      made.push(await createGroup(admin, `group ${made.length}`, { organization_id: id }));
    }
    await stream.until(() => groups(stream).length === 2);
    expect(groups(stream)).toEqual([made[1]!.id, made[3]!.id]);
  });

  it('sends nothing more to a reader that lost the permission', async () => {
    const other = await userWith(service, admin, 'other', 'event:read');
    const stream = await follow({}, other.client);
    await admin.patch(`/api/user/${other.id}/permissions`, { remove: ['event:read'] });
    const id = await recordAct(service, 'secret');
    await stream.until(() => stream.isEnded);
    expect(groups(stream)).not.toContain(id);
  });

  it('is open ten times for a reader', async () => {
    const streams: EventStream[] = [];
    for (let count = 0; count < 11; count++) streams.push(await follow());
    expect(streams.map(({ answer }) => answer.statusCode)).toEqual([...Array<number>(10).fill(200), 429]);
    streams[0]!.close();
    await streams[0]!.until(() => streams[0]!.isEnded);
    const again = await eventually(
      () => follow(),
      ({ answer }) => answer.statusCode === 200,
    );
    expect(again.isEnded).toBe(false);
  });

  it('ends when the service stops', async () => {
    const other = await service.another();
    const stream = await EventStream.open(await listen(other.app), reader.client);
    await other.app.close();
    await stream.until(() => stream.isEnded);
    expect(stream.isEnded).toBe(true);
  });
});
