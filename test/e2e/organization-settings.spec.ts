import { appName, appPrimaryColor } from '../../src/settings';
import { logInLongAgo } from '../support/accounts/accounts';
import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import { invited, showInvitation } from '../support/organizations/invitations';
import {
  changeSettings,
  OrganizationSettingsAnswer,
  settingsPath,
} from '../support/organizations/organization-settings';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = { id: '01900000-0000-7000-8000-00000000dead' };
const NOTHING = {
  name: null,
  logo: null,
  primary_color: null,
  terms: null,
  privacy: null,
  support: null,
  login_methods: null,
};

let service: TestService;
let admin: TestClient;
let owner: RoleAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  owner = await createRole(admin, 'owner', 'organization:update', 'invitation:create');
});

const newOrganization = (): Promise<OrganizationAnswer> => createOrganization(admin, `company-${++made}`);

async function ownerOf(organization: OrganizationAnswer): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin);
  await addMember(admin, organization, holder, owner);
  return holder;
}

describe('the settings of an organization', () => {
  it('are those of the service until the organization replaces some, and again when it clears them', async () => {
    const acme = await newOrganization();
    const { client } = await ownerOf(acme);
    const { status, body } = await client.get<OrganizationSettingsAnswer>(settingsPath(acme));
    expect([status, body]).toMatchObject([
      200,
      { ...NOTHING, service: { name: 'Castellan', primary_color: '#2f6fed' } },
    ]);
    const methods = body.service.login_methods;
    expect(methods).toContainEqual({ method: 'password', label: null });
    const look = { name: 'Acme', logo: 'https://a.test/l.svg', primary_color: '#112233', support: '/help' };
    const changed = await changeSettings(client, acme, { ...look, login_methods: ['password', 'email', 'password'] });
    expect(changed.body).toMatchObject({ ...NOTHING, ...look, login_methods: ['email', 'password'] });
    await changeSettings(client, acme, { logo: null, login_methods: null });
    const left = { ...NOTHING, ...look, logo: null };
    expect((await client.get(settingsPath(acme))).body).toMatchObject(left);
  });

  it('are audited with both values, and are an event', async () => {
    const acme = await newOrganization();
    const start = await endOfFeed(service, admin);
    await changeSettings(admin, acme, { name: 'Acme' });
    await changeSettings(admin, acme, { name: 'Acme' });
    await changeSettings(admin, acme, { name: null, terms: 'https://a.test/terms' });
    const sql = 'SELECT before, after FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY id';
    expect(await service.query(sql, ['organization.update_settings', acme.id])).toEqual([
      { before: {}, after: { name: 'Acme' } },
      { before: { name: 'Acme' }, after: { terms: 'https://a.test/terms' } },
    ]);
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=organization.*');
    expect(items.map(({ type }) => type)).toEqual(['organization.settings_updated', 'organization.settings_updated']);
  });

  it.each<[object, string]>([
    [{ name: '' }, 'name required'],
    [{ name: 'x'.repeat(51) }, 'name max_length'],
    [{ name: 7 }, 'name type'],
    [{ logo: 'http://a.test/l.svg' }, 'logo web_address'],
    [{ logo: 'javascript:alert(1)' }, 'logo web_address'],
    [{ primary_color: 'red' }, 'primary_color color'],
    [{ primary_color: '#123456;background:url(//x)' }, 'primary_color max_length'],
    [{ terms: '//evil.test' }, 'terms web_address'],
    [{ support: 'https://user@evil.test/' }, 'support web_address'],
    [{ login_methods: [] }, 'login_methods min_items'],
    [{ login_methods: 'password' }, 'login_methods type_list'],
    [{ login_methods: ['password', 'carrier_pigeon'] }, 'login_methods[1] unknown_login_method'],
    [{ login_methods: ['oauth:unknown'] }, 'login_methods[0] unknown_login_method'],
    [{ css: '*{}' }, 'css unknown_field'],
  ])('reject %j', async (change, problem) => {
    const acme = await newOrganization();
    const { status, body } = await changeSettings(admin, acme, change);
    expect([status, (body.errors ?? []).map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
    expect((await admin.get(settingsPath(acme))).body).toMatchObject(NOTHING);
  });

  it('need the permission there, and hide organizations from strangers', async () => {
    const acme = await newOrganization();
    const member = await anyUserWith(service, admin);
    await addMember(admin, acme, member);
    expectProblem(await member.client.get(settingsPath(acme)), 403, 'permission_denied');
    expectProblem(await changeSettings(member.client, acme, { name: 'Mine' }), 403, 'permission_denied');
    const stranger = await ownerOf(await newOrganization());
    for (const organization of [acme, UNKNOWN]) {
      expectProblem(await stranger.client.get(settingsPath(organization)), 404, 'not_found');
      expectProblem(await changeSettings(stranger.client, organization, { name: 'Mine' }), 404, 'not_found');
    }
    expectProblem(await changeSettings(admin, UNKNOWN, { name: 'Nobody' }), 404, 'not_found');
    expect((await admin.get(settingsPath(acme))).body).toMatchObject(NOTHING);
  });

  it('need a recent login for all but the colour', async () => {
    const acme = await newOrganization();
    const { username } = await ownerOf(acme);
    const client = await logInLongAgo(service, username);
    const change = <T = Problem>(body: object) => changeSettings<T>(client, acme, body);
    const guarded = [
      { name: 'Acme' },
      { logo: '/l.svg' },
      { support: 'https://a.test/help' },
      { login_methods: ['password'] },
    ];
    for (const body of guarded) {
      expectProblem(await change(body), 401, 'reauthentication_required');
    }
    const same = { name: null, login_methods: null, terms: null };
    expect((await change({ ...same, primary_color: '#112233' })).status).toBe(200);
  });

  it('are changed one after the other', async () => {
    const acme = await newOrganization();
    const changes = [
      { name: 'Acme' },
      { logo: '/l.svg' },
      { primary_color: '#112233' },
      { login_methods: ['password'] },
    ];
    await Promise.all(changes.map((change) => changeSettings(admin, acme, change)));
    expect((await admin.get(settingsPath(acme))).body).toMatchObject(Object.assign({}, ...changes) as object);
  });

  it('show in invitations and, except for the name, in their messages', async () => {
    const acme = await newOrganization();
    const { client } = await ownerOf(acme);
    const plain = await invited(service, client, acme, `guest${++made}@example.com`);
    expect((await showInvitation(service, plain)).body.look).toBeNull();
    await changeSettings(client, acme, { name: 'Acme Portal', primary_color: '#abcdef' });
    const target = `guest${++made}@example.com`;
    const token = await invited(service, client, acme, target);
    const { look } = (await showInvitation(service, token)).body;
    expect(look).toMatchObject({ name: 'Acme Portal', primary_color: '#abcdef', logo: '', login_methods: null });
    const [message] = messagesTo(service, target);
    expect(message?.html).toContain('#abcdef');
    const said = `${message?.subject} ${message?.text} ${message?.html}`;
    expect([said.includes('Castellan'), said.includes('Acme Portal')]).toEqual([true, false]);
  });

  it('follow the service where the organization has set nothing', async () => {
    const acme = await newOrganization();
    await changeSettings(admin, acme, { logo: '/acme.svg' });
    await service.set(appName, 'Stronghold');
    await service.set(appPrimaryColor, '#445566');
    try {
      const token = await invited(service, admin, acme, `guest${++made}@example.com`);
      const { look } = (await showInvitation(service, token)).body;
      expect(look).toMatchObject({ name: 'Stronghold', primary_color: '#445566', logo: '/acme.svg' });
    } finally {
      await service.set(appName, 'Castellan');
      await service.set(appPrimaryColor, '#2f6fed');
    }
  });
});
