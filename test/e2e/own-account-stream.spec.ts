import { performance } from 'node:perf_hooks';
import { allowedOrigins } from '../../src/platform/http';
import { EventStream } from '../support/receivers/event-stream';
import { mfaPolicy } from '../../src/mfa/mfa.settings';
import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { listen } from '../support/service/raw-http';
import { enrolTotp } from '../support/accounts/second-factors';
import { TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Account {
  readonly nickname: string;
  readonly pending: string | null;
  readonly permissions: readonly { permission_id: string }[];
}

let service: TestService;
let admin: TestClient;
let port: number;
const open: EventStream[] = [];

withService(async (started) => {
  service = started;
  admin = await service.admin();
  port = await listen(service.app);
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function follow(client: Pick<TestClient, 'cookie'>, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(port, client, { path: '/api/auth/me/stream', headers });
  open.push(stream);
  return stream;
}

const accounts = ({ events }: EventStream): Account[] =>
  events.filter(({ type }) => type === 'account').map(({ data }) => data as unknown as Account);
const codes = ({ permissions }: Account): string[] => permissions.map(({ permission_id }) => permission_id);

/** A user with `report:read` by a role. */
async function withRole(name: string): Promise<UserWithGrants & { roleId: string }> {
  const holder = await userWith(service, admin, name);
  const role = await createRole(admin, `role_of_${name}`, 'report:read');
  await admin.post(`/api/role/${role.id}/users`, { user_ids: [holder.id] });
  return { ...holder, roleId: role.id };
}

describe('GET /api/auth/me/stream', () => {
  it('sends the account at once, and again when it changes', async () => {
    const ann = await userWith(service, admin, 'ann');
    const stream = await follow(ann.client);
    expect(stream.answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(accounts(stream)).toEqual([(await ann.client.get('/api/auth/me')).body]);
    await ann.client.patch('/api/auth/me', { nickname: 'Annabel' });
    await stream.until(() => accounts(stream).length > 1);
    expect(accounts(stream).at(-1)?.nickname).toBe('Annabel');
  });

  // The instances of this test have no Redis.
  it('reports a role that another instance takes away within a second, and no change of others', async () => {
    const [bob, cat] = [await withRole('bob'), await userWith(service, admin, 'cat')];
    const [stream, uninvolved] = [await follow(bob.client), await follow(cat.client)];
    expect(codes(accounts(stream)[0]!)).toContain('report:read');
    const other = await service.another();
    const there = await other.admin();
    const before = performance.now();
    expect((await there.delete(`/api/role/${bob.roleId}/users/${bob.id}`)).status).toBe(204);
    const committed = performance.now();
    await stream.until(() => accounts(stream).length > 1);
    expect(codes(accounts(stream).at(-1)!)).not.toContain('report:read');
    process.stdout.write(`      reported after ${Math.round(performance.now() - committed)} ms\n`);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(accounts(uninvolved)).toHaveLength(1);
  });

  it('names what the user must do first, until it is done', async () => {
    const eve = await userWith(service, admin, 'eve');
    const stream = await follow(eve.client);
    const due = async (duty: string | null): Promise<void> => {
      await stream.until(() => accounts(stream).at(-1)?.pending === duty);
      expect((await eve.client.get<Account>('/api/auth/me')).body.pending).toBe(duty);
    };
    await due(null);
    await service.set(mfaPolicy, 'required');
    await due('mfa_enrolment');
    await enrolTotp(eve.client);
    await due(null);
    await service.set(mfaPolicy, 'optional');
    await admin.patch(`/api/user/${eve.id}`, { must_change_password: true });
    await due('password_change');
  });

  it.each([
    ['is logged out', (holder: UserWithGrants) => holder.client.post('/api/auth/logout')],
    ['is disabled', (holder: UserWithGrants) => admin.patch(`/api/user/${holder.id}`, { status: 'disabled' })],
  ])('ends when the user %s', async (reason, act) => {
    const holder = await userWith(service, admin, reason.replaceAll(' ', '_'));
    const stream = await follow(holder.client);
    await act(holder);
    await stream.until(() => stream.isEnded);
    expect(stream.events.at(-1)).toMatchObject({ type: 'ended', data: { code: 'session_revoked' } });
  });

  it('requires a login, a known origin, and a free place', async () => {
    expect((await follow({ cookie: '' })).answer.statusCode).toBe(401);
    const { client } = await userWith(service, admin, 'dan');
    expect((await follow(client, { origin: 'https://evil.example' })).answer.statusCode).toBe(403);
    expect((await follow(client, { 'sec-fetch-site': 'cross-site' })).answer.statusCode).toBe(403);
    const origin = 'https://app.example';
    await service.set(allowedOrigins, [origin]);
    const page = await follow(client, { origin });
    expect(page.answer.headers['access-control-allow-origin']).toBe(origin);
    const more = await Promise.all(Array.from({ length: 10 }, () => follow(client)));
    expect(more.filter(({ answer }) => answer.statusCode === 429)).toHaveLength(1);
    await service.set(allowedOrigins, []);
    await page.until(() => page.isEnded);
    expect(page.events.at(-1)).toMatchObject({ type: 'ended', data: { code: 'csrf_rejected' } });
  });

  it.each(['/api/auth/me/stream', '/api/event/stream', '/api/guard/stream'])(
    'holds no place for a HEAD request to %s',
    async (url) => {
      const { cookie } = admin;
      const answer = await service.app.inject({ method: 'HEAD', url, headers: { cookie } });
      expect(answer.statusCode).toBe(404);
    },
  );
});
