import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityOptions, installHttp, LoginMethod, PasswordHasher, PermissionsApi, UsersApi } from '../../src';
import { SettingsController } from '../../src/settings/settings.controller';
import { loginMethodContract } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { externalHandler } from '../support/hosts/external-handlers';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { isLoaded, recipe, recipeNames } from '../support/hosts/recipe-loader';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { PASSWORD } from '../support/service/test-service';

describe('all recipes together', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let ann: TestClient;
  let annId: string;

  const provider = <T>(name: string, of: string): T => app.get<T>(recipe(name)[of] as new () => T, { strict: false });

  beforeAll(async () => {
    database = await createTestDatabase();
    const { AppModule, values } = recipe('app.module') as {
      AppModule: new () => unknown;
      values: { give: () => IdentityOptions };
    };
    values.give = () => ({
      ...identityOptions(database),
      ...(recipe('declarations')['declarations'] as IdentityOptions),
    });
    app = await createHost(AppModule);
    installHttp(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    ann = new TestClient(app);
    const { body } = await ann.post<{ user: { id: string } }>('/api/auth/register', {
      username: 'ann',
      password: PASSWORD,
    });
    annId = body.user.id;
    provider<Map<string, string>>('pin-login', 'Pins').set(annId, await app.get(PasswordHasher).hash('471147'));
    provider<Map<string, object>>('notes', 'Notes').set('n-1', { owner: annId, text: 'x'.repeat(100) });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const pin = (username: string, number: string) => ({ type: 'pin', username, pin: number });
  const cases = loginMethodContract(() => ({
    method: provider<LoginMethod>('pin-login', 'PinLogin'),
    right: pin('ann', '471147'),
    wrong: pin('ann', '471148'),
    unknown: pin('nobody_here', '471147'),
    otherSpelling: pin('ANN', '471147'),
  }));
  it.each(cases.map(({ name, run }) => [name, run] as const))('LoginMethod: %s', (_name, run) => run());

  it('log in, draw avatars, greet and guard', async () => {
    const wrong = await app.inject({ method: 'POST', url: '/api/auth/login', payload: pin('ann', '471148') });
    expect(wrong.json()).toMatchObject({ code: 'pin_refused', detail: 'Username or PIN is wrong.' });
    const { status, body } = await ann.post<{ user: { avatar: string } }>('/api/auth/login', pin('ann', '471147'));
    expect(status).toBe(200);
    expect((await ann.get(body.user.avatar)).text).toContain('<circle');
    expect(provider<{ greeted: string[] }>('welcome', 'Welcome').greeted).toEqual(['admin', 'ann']);
    expect((await ann.get<{ text: string }>('/notes/n-1')).body.text).toHaveLength(80);
    expectProblem(await ann.get<{ code: string }>('/notes/n-2'), 403, 'permission_denied');
    const [stored] = await database.query<{ hash: string }>('SELECT password_hash AS hash FROM user_account');
    expect(stored?.hash).toMatch(/^scrypt\$/);
    expect((await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD })).status).toBe(
      200,
    );
  });

  it('guard a plain controller', async () => {
    expect((await new TestClient(app).get('/till')).body).toEqual({ open: true });
    const print = (cookie: string) => app.inject({ method: 'POST', url: '/till/receipts', headers: { cookie } });
    expect((await print(ann.cookie)).json()).toEqual({ served: 'ann' });
    expect((await print('')).json()).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('check the input of a route', async () => {
    expect((await ann.post('/ratings', { stars: 5 })).body).toEqual({ by: 'ann', stars: 5 });
    const wrong = await ann.post<{ errors: { field: string }[] }>('/ratings', { stars: 6, more: 1 });
    expect(wrong.body.errors.map(({ field }) => field)).toEqual(expect.arrayContaining(['stars', 'more']));
  });

  it('guard a resolver and a gateway', async () => {
    const headersOf = (cookie: string) => ({ cookie, host: 'localhost', origin: 'http://localhost' });
    const resolver = provider<object>('parcels.resolver', 'ParcelsResolver');
    const parcels = (cookie: string) => {
      const raw = { headers: headersOf(cookie), socket: {} };
      const req = { raw, headers: raw.headers, method: 'GET', query: {}, routeOptions: { config: {} } };
      return externalHandler(app, resolver, 'parcels', 'graphql')({}, {}, { req }, {});
    };
    expect(await parcels('')).toMatchObject({ extensions: { status: 401 } });
    expect(await parcels(ann.cookie)).toMatchObject({ extensions: { status: 403, code: 'permission_denied' } });
    await app.get(PermissionsApi).grant(annId, [{ permission: 'shop:parcel:read' }]);
    expect(await parcels(ann.cookie)).toEqual([{ to: 'ann' }]);

    const stop = externalHandler(app, provider<object>('parcels.gateway', 'ParcelsGateway'), 'stop', 'ws');
    const socketOf = (cookie: string) => ({
      request: { headers: headersOf(cookie), socket: {}, url: '/' },
      emit: () => undefined,
    });
    expect(await stop(socketOf(''), 'p-1')).toBeUndefined();
    expect(await stop(socketOf(ann.cookie), 'p-1')).toEqual({ stopped: 'p-1', by: 'ann' });
  });

  it('close the routes of the host, and no others, by a global guard', () => {
    interface Guard {
      isOpen: boolean;
      canActivate: (context: { getClass: () => unknown }) => boolean;
    }
    const guard = provider<Guard>('opening-hours.guard', 'OpeningHoursGuard');
    guard.isOpen = false;
    expect(guard.canActivate({ getClass: () => recipe('notes')['NotesController'] })).toBe(false);
    expect(guard.canActivate({ getClass: () => SettingsController })).toBe(true);
  });

  it('manage users', async () => {
    interface Staff {
      hire: (username: string, email: string) => Promise<{ id: string } | undefined>;
      clerks: () => Promise<string[]>;
      logOutEverywhere: (username: string) => Promise<number>;
      leave: (username: string) => Promise<void>;
    }
    const staff = provider<Staff>('staff', 'Staff');
    expect(await staff.hire('eve_clerk', 'eve@example.com')).toMatchObject({ username: 'eve_clerk' });
    expect(await staff.hire('eve_clerk', 'other@example.com')).toBeUndefined();
    expect(await staff.clerks()).toEqual(['eve_clerk']);
    expect(await staff.logOutEverywhere('ann')).toBeGreaterThan(0);
    expectProblem(await ann.get<{ code: string }>('/api/auth/me'), 401, 'session_revoked');
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    await staff.leave('ann');
    expectProblem(await ann.get<{ code: string }>('/api/auth/me'), 401, 'session_revoked');
  });

  it('check and give permissions', async () => {
    interface Refunds {
      refund: (userId: string, cents: number) => Promise<void>;
      mayRefund: (userId: string) => Promise<boolean>;
      why: (userId: string) => Promise<string>;
      promote: (userId: string) => Promise<void>;
      demote: (userId: string) => Promise<void>;
    }
    const refunds = provider<Refunds>('refunds', 'Refunds');
    // Not ann, whom the test before has disabled.
    const { id } = await app.get(UsersApi).create({ username: 'bea_clerk', password: PASSWORD });
    await expect(refunds.refund(id, 100)).rejects.toMatchObject({ status: 403, code: 'permission_denied' });
    // The level that the declaration names.
    expect(await refunds.why(id)).toBe('needs level 5');
    await refunds.promote(id);
    await expect(refunds.refund(id, 20_000)).resolves.toBeUndefined();
    expect(['clerk', 'granted directly']).toContain(await refunds.why(id));
    await refunds.demote(id);
    expect(await refunds.mayRefund(id)).toBe(false);
  });

  it('change settings and record acts', async () => {
    interface Limits {
      accepts: (items: number) => Promise<boolean>;
      beginSale: () => Promise<void>;
      endSale: () => Promise<void>;
    }
    const limits = provider<Limits>('basket-limits', 'BasketLimits');
    const register = () => new TestClient(app).post('/api/auth/register', { username: 'late', password: PASSWORD });
    expect(await limits.accepts(30)).toBe(false);
    await limits.beginSale();
    expect([await limits.accepts(30), (await register()).status]).toEqual([true, 403]);
    await limits.endSale();
    expect([await limits.accepts(30), (await register()).status]).toEqual([false, 201]);

    await provider<{ expire: (id: string) => Promise<void> }>('tickets', 'Tickets').expire('7');
    const [row] = await database.query(
      `SELECT actor_name, target_label FROM audit_event WHERE action = 'ticket.expire'`,
    );
    expect(row).toEqual({ actor_name: 'host application', target_label: 'Ticket 7' });
  });

  it('declare a problem and hear events', async () => {
    const rejectClosed = recipe('order.problems')['rejectClosed'] as (
      order: number,
      closed: ReadonlySet<number>,
    ) => void;
    expect(() => {
      rejectClosed(7, new Set([7]));
    }).toThrow('order_closed');
    const { users } = provider<{ users: Map<string, string> }>('orders', 'Orders');
    users.set('o-1', annId).set('o-2', 'somebody');
    await app.get(UsersApi).delete(annId);
    await eventually(
      async () => users.size,
      (size) => size === 1,
    );
    expect([...users.keys()]).toEqual(['o-2']);
  });

  it('include the code of every page', () => {
    const names = recipeNames().filter((name) => !name.endsWith('.spec'));
    expect(names.filter((name) => !isLoaded(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
  });
});
