import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import Ajv, { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { deletionGraceDays } from '../../src/auth';
import { declaredEventTypes, declaredFamilyTypes, EVENT_FAMILIES } from '../../src/audit';
import { identityEvents } from '../../src/host-api/identity-event';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { actAsEnabled, maxSessionsPerUser } from '../../src/session/store/session.settings';
import { endOfFeed, eventsSince, FeedItem } from '../support/receivers/events';
import { eventSchema } from '../support/documents/event-schema';
import { beginBinding, comeBack, FakeProviders } from '../support/oauth/fake-providers';
import { createRole } from '../support/accounts/holders';
import { logInAt, register, relyingParty } from '../support/oauth/oauth';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { formOf, knownActs, recordedActs } from '../support/documents/recorded-acts';
import { enrolTotp } from '../support/accounts/second-factors';
import { Answer, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const FILE = join(__dirname, '../../docs/events.schema.json');

let service: TestService;
let providers: FakeProviders;
let admin: TestClient;
let isValid: ValidateFunction;
const seen = new Set<string>();

withService(async (started) => {
  service = started;
  providers = new FakeProviders(service);
  admin = await service.admin();
  isValid = addFormats(new Ajv({ allowUnionTypes: true })).compile(eventSchema());
});

/** The events of the work, as type and data without the version. */
async function eventsOf(work: () => Promise<unknown>): Promise<FeedItem[]> {
  const start = await endOfFeed(service, admin);
  await work();
  const { items } = await eventsSince(service, admin, start);
  for (const item of items) {
    expect([item, isValid(item), isValid.errors]).toEqual([item, true, null]);
    seen.add(item.type);
  }
  return items;
}
const typesOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await eventsOf(work)).map(({ type }) => type);
const succeeded = async (answer: Promise<Answer<unknown>>): Promise<void> => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`The request failed: ${status} ${text}`);
};
const idOf = async (client: TestClient): Promise<string> => (await client.get<{ id: string }>('/api/auth/me')).body.id;

describe('events', () => {
  it('are described by docs/events.schema.json (set `UPDATE_EVENTS=1` to rewrite the file)', async () => {
    const text = `${JSON.stringify(eventSchema(), null, 2)}\n`;
    if (process.env['UPDATE_EVENTS'] === '1') await writeFile(FILE, text);
    expect((await readFile(FILE, 'utf8')) === text).toBe(true);
  });

  it('have the same types in the console', () => {
    const source = readFileSync(join(__dirname, '../../web/src/console/events/event-types.ts'), 'utf8');
    const [, families = ''] = /export const eventFamilies = (\{[\s\S]*?\n\}) as const/.exec(source) ?? [];
    const known = runInNewContext(`(${families})`) as Record<string, string[]>;
    const types = Object.entries(known).flatMap(([family, names]) => names.map((name) => `${family}.${name}`));
    expect(types.sort()).toEqual([...declaredEventTypes(), ...declaredFamilyTypes()].sort());
    expect(Object.keys(known)).toEqual(expect.arrayContaining([...EVENT_FAMILIES]));
  });

  it('have types that hosts know', () => {
    expect(Object.keys(identityEvents).sort()).toEqual([...declaredEventTypes()].sort());
  });

  it('report an account from registration to deletion', async () => {
    let user: TestClient;
    let id = '';
    expect(
      await typesOf(async () => {
        user = await service.signUp('life');
        id = await idOf(user);
      }),
    ).toEqual(['user.created', 'login.succeeded']);
    const changed = await eventsOf(() =>
      succeeded(user.patch('/api/auth/me', { nickname: 'L', email: 'l@example.com' })),
    );
    expect(changed.map(({ type, data }) => [type, data['fields']])).toEqual([
      ['user.updated', ['nickname']],
      ['user.contact_changed', ['email']],
    ]);
    const body = { current_password: PASSWORD, new_password: 'another horse entirely' };
    expect(await typesOf(() => succeeded(user.put('/api/auth/me/password', body)))).toEqual(['user.password_changed']);
    expect(await typesOf(() => succeeded(admin.patch(`/api/user/${id}`, { status: 'disabled' })))).toEqual([
      'session.ended',
      'user.disabled',
    ]);
    expect(await typesOf(() => succeeded(admin.patch(`/api/user/${id}`, { status: 'active' })))).toEqual([
      'user.enabled',
    ]);
    await service.set(deletionGraceDays, 7);
    const leaving = await service.logIn('life', body.new_password);
    const [, requested] = await eventsOf(() => succeeded(leaving.delete('/api/auth/me')));
    await service.set(deletionGraceDays, 0);
    expect([requested?.type, requested?.subject?.id]).toEqual(['user.deletion_requested', id]);
    expect(requested?.data['due_at']).toEqual(expect.stringMatching(/Z$/));
    expect(await typesOf(() => succeeded(admin.post(`/api/user/${id}/deletion/cancel`)))).toEqual([
      'user.deletion_cancelled',
    ]);
    expect(await typesOf(() => succeeded(admin.delete(`/api/user/${id}`)))).toEqual(['user.deleted']);
  });

  it('name the attributes that changed, without their values', async () => {
    for (const name of ['badge', 'desk']) {
      const label = { en: name, zh: name };
      await succeeded(admin.post('/api/attribute', { name, type: 'text', label, owner: 'write' }));
    }
    const user = await service.signUp('attributed');
    const path = `/api/user/${await idOf(user)}`;
    const fieldsOf = async (work: () => Promise<Answer<unknown>>): Promise<unknown[]> => {
      const events = await eventsOf(() => succeeded(work()));
      expect(JSON.stringify(events)).not.toContain('secret');
      return events.map(({ type, data }) => [type, data['fields']]);
    };
    const own = { attributes: { desk: 'a secret', badge: 'another secret' } };
    expect(await fieldsOf(() => user.patch('/api/auth/me', own))).toEqual([
      ['user.updated', ['attributes.badge', 'attributes.desk']],
    ]);
    const mixed = { nickname: 'A', phone: '+8613800001234', attributes: { desk: null, badge: 'another secret' } };
    expect(await fieldsOf(() => admin.patch(path, mixed))).toEqual([
      ['user.updated', ['nickname', 'attributes.desk']],
      ['user.contact_changed', ['phone']],
    ]);
    expect(await fieldsOf(() => admin.patch(path, { attributes: { desk: '' } }))).toEqual([]);
    for (const name of ['badge', 'desk']) await succeeded(admin.delete(`/api/attribute/${name}`));
  });

  it('report rejected logins, locks and their end', async () => {
    const user = await service.signUp('locked');
    const id = await idOf(user);
    await service.set(lockoutThreshold, 1);
    const login = { type: 'password', username: 'locked', password: 'wrong' };
    const failed = await eventsOf(() => service.client().post('/api/auth/login', login));
    await service.set(lockoutThreshold, 10);
    expect(failed.map(({ type, subject }) => [type, subject?.id])).toEqual([
      ['login.failed', id],
      ['user.locked', id],
    ]);
    expect(await typesOf(() => succeeded(admin.delete(`/api/user/${id}/lock`)))).toEqual(['user.unlocked']);
    const [unknown] = await eventsOf(() => service.client().post('/api/auth/login', { ...login, username: 'no_one' }));
    expect(unknown).toMatchObject({ type: 'login.failed', actor: null, subject: null, data: { method: 'password' } });
  });

  it('report how and by which actor sessions end', async () => {
    const user = await service.signUp('sessions');
    const id = await idOf(user);
    const endedBy = async (work: () => Promise<unknown>): Promise<unknown[]> =>
      (await eventsOf(work))
        .filter(({ type }) => type === 'session.ended')
        .map(({ subject, actor, data }) => [
          subject?.id,
          actor?.name,
          data['reason'],
          (data['session_ids'] as []).length,
        ]);

    const other = await service.logIn('sessions');
    expect(await endedBy(() => succeeded(other.post('/api/auth/logout')))).toEqual([[id, 'sessions', 'logout', 1]]);
    await service.logIn('sessions');
    await service.logIn('sessions');
    expect(await endedBy(() => user.delete('/api/auth/sessions'))).toEqual([[id, 'sessions', 'revoked', 2]]);
    await service.set(maxSessionsPerUser, 1);
    expect(await endedBy(() => service.logIn('sessions'))).toEqual([[id, undefined, 'limit', 1]]);
    await service.set(maxSessionsPerUser, 50);
    expect(await endedBy(() => succeeded(admin.delete(`/api/user/${id}/sessions`)))).toEqual([
      [id, 'admin', 'revoked', 1],
    ]);
  });

  it('report that an administrator acts as a user, on behalf of whom', async () => {
    await service.set(actAsEnabled, true);
    const user = await service.signUp('acted');
    const id = await idOf(user);
    const actor = await service.admin();
    const act = (): Promise<void> => succeeded(actor.post(`/api/user/${id}/act-as`, { reason: 'Ticket 4711' }));
    const [started] = await eventsOf(act);
    expect(started).toMatchObject({ type: 'acting.started', actor: { name: 'admin' }, subject: { id, name: 'acted' } });
    expect(await typesOf(() => succeeded(actor.delete('/api/auth/act-as')))).toEqual(['acting.ended']);
    await act();
    const ended = await eventsOf(() => succeeded(actor.post('/api/auth/logout')));
    expect(ended.map(({ type }) => type).sort()).toEqual(['acting.ended', 'session.ended']);
    for (const event of ended) expect(event).toMatchObject({ actor: { name: 'admin' }, on_behalf_of: { id } });
  });

  it('report second factors and third-party accounts', async () => {
    const user = await service.signUp('factors');
    let totpId = '';
    const added = await eventsOf(async () => ({ totpId } = await enrolTotp(user)));
    expect(added).toMatchObject([{ type: 'factor.added', data: { factor: 'totp', factor_id: totpId } }]);
    expect(await typesOf(() => succeeded(user.delete(`/api/auth/mfa/${totpId}`)))).toEqual(['factor.removed']);

    const provider = providers.add();
    provider.person('someone');
    const linked = await eventsOf(async () => succeeded(comeBack(user, provider, await beginBinding(user, provider))));
    const { body } = await user.get<{ items: { id: string }[] }>('/api/auth/identities');
    const identity = { identity_id: body.items[0]!.id, provider: provider.provider.name };
    expect(linked).toMatchObject([{ type: 'identity.linked', subject: { id: await idOf(user) }, data: identity }]);
    const unlinked = await eventsOf(() => succeeded(user.delete(`/api/auth/identities/${identity.identity_id}`)));
    expect(unlinked).toMatchObject([{ type: 'identity.unlinked', data: identity }]);
  });

  it('report roles, grants, clients, consents, settings and keys', async () => {
    const user = await service.signUp('other');
    const id = await idOf(user);
    const role = await createRole(admin, 'writer');
    await eventsOf(() => createRole(admin, 'reader'));
    expect(await typesOf(() => succeeded(admin.patch(`/api/role/${role.id}`, { description: 'Writes' })))).toEqual([
      'role.updated',
    ]);
    const users = `/api/role/${role.id}/users`;
    expect(await typesOf(() => succeeded(admin.post(users, { user_ids: [id] })))).toEqual(['role.assigned']);
    expect(await typesOf(() => succeeded(admin.delete(`${users}/${id}`)))).toEqual(['role.unassigned']);
    expect(await typesOf(() => succeeded(admin.delete(`/api/role/${role.id}`)))).toEqual(['role.deleted']);
    const acme = await createOrganization(admin, 'acme');
    await addMember(admin, acme, { id });
    const clerks = `/api/role/${(await createRoleOf(admin, acme, 'clerk')).id}/users`;
    expect(await typesOf(() => succeeded(admin.post(clerks, { user_ids: [id] })))).toEqual([
      'organization.role_assigned',
    ]);
    expect(await typesOf(() => succeeded(admin.delete(`${clerks}/${id}`)))).toEqual(['organization.role_unassigned']);
    const add = [{ permission_id: 'role:read' }];
    expect(await typesOf(() => succeeded(admin.patch(`/api/user/${id}/permissions`, { add })))).toEqual([
      'grant.changed',
    ]);
    const rename = { updates: [{ key: 'app.name', value: 'Named' }] };
    expect(await typesOf(() => succeeded(admin.put('/api/setting', rename)))).toEqual(['setting.changed']);
    expect(new Set(await typesOf(() => succeeded(admin.post('/api/signing-key'))))).toEqual(
      new Set(['signing_key.rotated']),
    );

    const [created] = await eventsOf(() => register(admin));
    const path = `/api/oauth/client/${created!.subject!.id}`;
    const app = await register(admin);
    const config = await relyingParty(() => service, app);
    expect(await typesOf(() => logInAt(config, user))).toEqual(['consent.granted']);
    expect(await typesOf(() => succeeded(user.delete(`/api/oauth/consent/${app.client_id}`)))).toEqual([
      'consent.withdrawn',
    ]);
    expect(await typesOf(() => succeeded(admin.patch(path, { name: 'Renamed' })))).toEqual(['client.updated']);
    expect(await typesOf(() => succeeded(admin.post(`${path}/secret`, {})))).toEqual(['client.secret_rotated']);
    expect(await typesOf(() => succeeded(admin.delete(path)))).toEqual(['client.deleted']);
    await succeeded(admin.patch(`/api/user/${id}/permissions`, { add: [{ permission_id: 'oauth_client:create' }] }));
    await register(user, { scopes: ['openid'] });
    expect(await typesOf(() => succeeded(admin.delete(`/api/user/${id}`)))).toContain('client.disabled');
  });

  it('follow from acts that record what they did in the golden file', async () => {
    const known = new Set((await knownActs()).map(({ act }) => formOf(act)));
    const unknown = (await recordedActs(service.database)).filter((act) => !known.has(formOf(act)));
    expect(unknown).toEqual([]);
  });

  it('were emitted of every type', () => {
    expect(declaredEventTypes().filter((type) => !seen.has(type))).toEqual([]);
  });
});
