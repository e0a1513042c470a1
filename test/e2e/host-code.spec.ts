import 'reflect-metadata';
import { AuditApi, PermissionsApi, ProblemError, SessionsApi, SettingsApi, UsersApi } from '../../src';
import type { Caller } from '../../src';
import { expectProblem } from '../support/service/expect-problem';
import { createRole } from '../support/accounts/holders';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { ADMIN } from '../support/service/test-service';
import { mostSeats, TheatreHost } from '../support/hosts/host-with-routes';

const APPLICATION = 'host application';

async function problemOf(work: Promise<unknown>): Promise<object> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError)) throw new Error(`Expected a problem, not ${String(error)}`);
  return { status: error.status, code: error.code, fields: error.fields.map(({ field }) => field) };
}

describe('code of a host', () => {
  let host: TheatreHost;
  let users: UsersApi;
  let sessions: SessionsApi;
  let permissions: PermissionsApi;
  let settings: SettingsApi;
  let audit: AuditApi;

  beforeAll(async () => {
    host = await TheatreHost.start();
    users = host.get(UsersApi);
    sessions = host.get(SessionsApi);
    permissions = host.get(PermissionsApi);
    settings = host.get(SettingsApi);
    audit = host.get(AuditApi);
  });
  afterAll(() => host.stop());

  describe('UsersApi', () => {
    it('creates, finds, changes, disables, enables and deletes a user as the application', async () => {
      const created = await users.create({
        username: 'ann',
        email: 'ann@example.com',
        emailVerified: true,
        locale: 'zh',
        roles: ['user'],
      });
      expect(await users.find('ann@example.com')).toMatchObject({ id: created.id, locale: 'zh', hasPassword: false });
      expect((await users.update(created.id, { nickname: 'Ann', email: null })).nickname).toBe('Ann');
      expect(await users.find('ann@example.com')).toBeUndefined();
      expect((await users.disable(created.id)).status).toBe('disabled');
      expect((await users.enable(created.id)).status).toBe('active');
      await users.delete(created.id);
      expect(await users.findById(created.id)).toBeUndefined();
      const [row] = await host.audited('user.create');
      expect(row).toMatchObject({ actor_name: APPLICATION, session_id: null, request_id: null, target_label: 'ann' });
    });

    it('lists users by filter and page by page', async () => {
      const three = [await host.newUser(), await host.newUser(), await host.newUser()].reverse();
      const first = await users.list({ keyword: 'actor_', limit: 2 });
      const second = await users.list({ keyword: 'actor_', limit: 2, cursor: first.nextCursor ?? '' });
      expect([...first.items, ...second.items].slice(0, 3).map(({ id }) => id)).toEqual(three.map(({ id }) => id));
      expect((await users.list({ keyword: 'actor_', hasSecondFactor: true })).items).toEqual([]);
      expect((await users.list({ keyword: 'actor_', hasSecondFactor: false, limit: 2 })).items).toEqual(first.items);
      const admins = await users.list({ role: 'admin' });
      expect(admins.items.map(({ username }) => username)).toEqual([ADMIN.username]);
    });

    it.each([
      ['a username that is too short', () => users.create({ username: 'x' }), 400, 'validation_failed', ['username']],
      [
        'a verified e-mail address without an address',
        () => users.create({ username: 'nobody_1', emailVerified: true }),
        400,
        'validation_failed',
        ['email_verified'],
      ],
      ['an unknown role', () => users.create({ username: 'nobody_2', roles: ['nothing'] }), 404, 'not_found', []],
      ['a taken username', () => users.create({ username: ADMIN.username }), 409, 'username_taken', []],
      ['a page of 0 users', () => users.list({ limit: 0 }), 400, 'validation_failed', ['page_size']],
    ])('rejects %s', async (_, act, status, code, fields) => {
      expect(await problemOf(act())).toEqual({ status, code, fields });
    });

    it('knows no user by a text that is no id', async () => {
      expect([await users.findById('abc'), await permissions.can('abc', 'theatre:seat:read')]).toEqual([
        undefined,
        false,
      ]);
      const acts = [
        () => users.delete('abc'),
        () => users.disable('abc'),
        () => sessions.list('abc'),
        () => sessions.revokeAll('abc'),
        () => permissions.held('abc'),
        () => permissions.explain('abc', ['theatre:seat:read']),
        () => permissions.grant('abc', [{ permission: 'theatre:seat:read' }]),
        () => permissions.giveRole('abc', 'user'),
        () => permissions.giveRole('abc', 'a:b:user'),
      ];
      for (const act of acts) expect(await problemOf(act())).toMatchObject({ status: 404, code: 'not_found' });
    });

    it('keeps the last administrator', async () => {
      const admin = await users.find(ADMIN.username);
      expect(await problemOf(users.delete(admin!.id))).toMatchObject({ code: 'last_admin' });
    });
  });

  describe('by a caller', () => {
    it('holds the act to the permissions of the caller, and audits the caller', async () => {
      const { username } = await host.newUser();
      const plain = await host.loggedIn(username);
      expect((await plain.post('/api/theatre/ushers')).status).toBe(403);
      expect(await users.find('usher_by')).toBeUndefined();
      const admin = await host.loggedIn(ADMIN.username, ADMIN.password);
      expect((await admin.post('/api/theatre/ushers')).body).toEqual({ username: 'usher_by' });
      const [row] = await host.audited('user.create');
      expect(row).toMatchObject({ actor_name: ADMIN.username, target_label: 'usher_by' });
      expect(row?.session_id).not.toBeNull();
    });

    it('needs the permission that the HTTP API asks for', async () => {
      const [ann, bob] = [await host.newUser(), await host.newUser()];
      const plain = await host.loggedIn(ann.username);
      expectProblem(await plain.delete(`/api/theatre/people/${bob.id}`), 403, 'permission_denied');
      expectProblem(await plain.put('/api/theatre/seats'), 403, 'permission_denied');
      expect([await users.findById(bob.id), await settings.get(mostSeats)]).toMatchObject([{ id: bob.id }, 10]);
      await permissions.grant(ann.id, [{ permission: 'user:admin' }]);
      expect((await plain.delete(`/api/theatre/people/${bob.id}`)).status).toBe(200);
    });

    it('is the application where the request has a caller, but the act names none', async () => {
      const { username } = await host.newUser();
      expect((await (await host.loggedIn(username)).post('/api/theatre/cleaners')).status).toBe(201);
      const [created] = await host.audited('user.create');
      expect(created).toMatchObject({ actor_name: APPLICATION, session_id: null, target_label: 'cleaner' });
      expect(created?.request_id).not.toBeNull();
      const [own] = await host.audited('theatre.clean');
      expect(own).toMatchObject({ actor_name: username, reason: 'dust' });
    });

    it('is refused unless it is the caller of the request', async () => {
      const { username, id } = await host.newUser();
      expect((await (await host.loggedIn(username)).post('/api/theatre/forgery')).status).toBe(500);
      const caller = { userId: id, username } as Caller;
      await expect(async () => users.disable(id, { by: caller })).rejects.toThrow('@CurrentCaller()');
      expect(await users.find('forged')).toBeUndefined();
    });
  });

  describe('SessionsApi', () => {
    it('lists sessions, ends one and ends all', async () => {
      const { id, username } = await host.newUser();
      const [one, other] = [await host.loggedIn(username), await host.loggedIn(username)];
      const live = await sessions.list(id);
      expect(live.map(({ loginMethod, userId }) => [loginMethod, userId])).toEqual(Array(2).fill(['password', id]));
      await sessions.revoke(id, live[1]!.id);
      expect((await one.get('/api/auth/me')).status).toBe(401);
      expect((await other.get('/api/auth/me')).status).toBe(200);
      expect(await sessions.revokeAll(id, { since: new Date(Date.now() + 60_000) })).toBe(0);
      expect(await sessions.revokeAll(id)).toBe(1);
      expect((await other.get('/api/auth/me')).status).toBe(401);
      expect(await problemOf(sessions.revoke(id, live[0]!.id))).toMatchObject({ code: 'not_found' });
    });
  });

  describe('PermissionsApi', () => {
    it('grants and revokes permissions, and says why a user holds one', async () => {
      const { id } = await host.newUser();
      expect(await permissions.can(id, 'theatre:seat:read')).toBe(false);
      await permissions.grant(id, [{ permission: 'theatre:seat:read', level: 1 }]);
      expect(await permissions.can(id, 'theatre:seat:read')).toBe(true);
      expect(await permissions.can(id, 'theatre:seat:read', 7)).toBe(false);
      await expect(permissions.require(id, 'theatre:seat:read')).resolves.toBeUndefined();
      const [read, update] = await permissions.explain(id, ['theatre:seat:read', 'theatre:seat:update']);
      expect([read, update]).toMatchObject([
        { allowed: true, because: { source: { role: null }, grant: { level: 1 } } },
        { allowed: false, closest: { scope: 'theatre' } },
      ]);
      await permissions.revoke(id, ['theatre:seat:read', 'theatre:never:read']);
      expect(await problemOf(permissions.require(id, 'theatre:seat:read'))).toMatchObject({ status: 403 });
    });

    it('counts what a member holds in an organization there only', async () => {
      const member = await host.newUser();
      const admin = await host.loggedIn(ADMIN.username, ADMIN.password);
      const organization = await createOrganization(admin, 'balcony');
      const seats = 'theatre:seat:update';
      const role = await createRole(admin, 'usher', seats);
      await addMember(admin, organization, member, role);
      const within = { organizationId: organization.id };
      expect(await permissions.can(member.id, seats, within)).toBe(true);
      await expect(permissions.require(member.id, seats, { ...within, level: 7 })).resolves.toBeUndefined();
      expect(await permissions.explain(member.id, [seats], within)).toMatchObject([
        { allowed: true, because: { source: { role: 'usher', organization: { slug: 'balcony' } } } },
      ]);
      for (const options of [{}, { organizationId: member.id }, { organizationId: 'balcony' }]) {
        expect(await permissions.can(member.id, seats, options)).toBe(false);
        expect(await permissions.explain(member.id, [seats], options)).toMatchObject([{ allowed: false }]);
      }
      const stranger = await host.newUser();
      expect(await permissions.can(stranger.id, seats, within)).toBe(false);
    });

    it('gives and takes roles', async () => {
      const { id } = await host.newUser();
      const held = await permissions.giveRole(id, 'admin');
      expect(held.map(({ role }) => role.name)).toContain('admin');
      expect(await permissions.can(id, '*:*', 7)).toBe(true);
      await permissions.takeRole(id, 'admin');
      expect(await permissions.can(id, '*:*', 7)).toBe(false);
      expect(await problemOf(permissions.takeRole(id, 'admin'))).toMatchObject({ code: 'not_found' });
    });

    it.each(['', 'seat', 'a:b:c:d', 'Theatre:seat:read'])('rejects %j, which is no permission', async (text) => {
      const { id } = await host.newUser();
      expect(await problemOf(permissions.can(id, text))).toMatchObject({ code: 'validation_failed' });
      expect(await problemOf(permissions.grant(id, [{ permission: text }]))).toMatchObject({ status: 400 });
    });

    it('lists the catalogue in a language', async () => {
      const [english, chinese] = [await permissions.catalogue(), await permissions.catalogue('zh')];
      const read = (list: typeof english) =>
        list.find(({ permissionId }) => permissionId === 'user:admin')?.description;
      expect(read(english)).toMatch(/[a-z]/);
      expect(read(chinese)).toMatch(/\p{Script=Han}/u);
    });
  });

  describe('SettingsApi', () => {
    it('sets and resets own and guarded settings', async () => {
      expect(await settings.get(mostSeats)).toBe(10);
      await settings.set(mostSeats, 20, { reason: 'a larger hall' });
      expect(await settings.get(mostSeats)).toBe(20);
      await settings.set('security.lockout_threshold', 11);
      await settings.reset('security.lockout_threshold');
      await settings.reset(mostSeats);
      expect(await settings.get(mostSeats)).toBe(10);
      const rows = await host.audited('setting.update');
      expect(new Set(rows.map(({ actor_name }) => actor_name))).toEqual(new Set([APPLICATION]));
      expect(rows.map(({ reason }) => reason)).toContain('a larger hall');
    });

    it('rejects a value that the setting does not allow, and an unknown key', async () => {
      expect(await problemOf(settings.set(mostSeats, 101))).toMatchObject({ status: 400, fields: ['value'] });
      expect(await problemOf(settings.set('theatre.unknown', 1))).toMatchObject({ status: 400, fields: ['key'] });
    });
  });

  describe('AuditApi', () => {
    it('records an act of the application', async () => {
      await audit.record({
        action: 'ticket.refund',
        target: { type: 'ticket', id: '7', label: 'Row 3' },
        before: { state: 'sold' },
        after: { state: 'free' },
      });
      const [row] = await host.audited('ticket.refund');
      expect(row).toMatchObject({
        actor_name: APPLICATION,
        outcome: 'success',
        target_type: 'ticket',
        target_id: '7',
        target_label: 'Row 3',
        before: { state: 'sold' },
        after: { state: 'free' },
      });
    });

    it.each([
      ['an action of one word', { action: 'refund' }],
      ['an action in capitals', { action: 'Ticket.Refund' }],
      ['an action of more than 64 characters', { action: `ticket.${'x'.repeat(60)}` }],
      ['an action of the service', { action: 'user.delete' }],
      ['a character that cannot be stored', { action: 'ticket.refund', after: { notes: ['\0'] } }],
      ['a target type that is too long', { action: 'ticket.refund', target: { type: 'x'.repeat(33), id: '1' } }],
    ])('rejects %s', async (_, entry) => {
      await expect(audit.record(entry)).rejects.toBeInstanceOf(TypeError);
    });
  });
});
