import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountExportService } from '../../src/import-export';
import { createRole, userWith } from '../support/accounts/holders';
import { Imported, importInto, stateOf, storedUser } from '../support/accounts/imports';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, within } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let folder: string;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  folder = await mkdtemp(join(tmpdir(), 'castellan-organizations-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function imported(
  from: string,
  content: unknown,
  options: { dryRun?: boolean; withRoles?: boolean } = {},
): Promise<Imported> {
  const path = join(folder, 'export.json');
  await writeFile(path, JSON.stringify(content));
  return importInto(service, from, path, { withRoles: true, ...options });
}

/** A realm with one organization, in the order of Keycloak's export: users after organizations. */
const realm = (name: string, members: object[], users: object[], more: object = {}): object => ({
  realm: name,
  organizations: [{ id: `o-${name}`, name: `Company ${name}`, alias: name, enabled: true, members, ...more }],
  users,
});

const user = (username: string, more: object = {}): object => ({ id: `id-${username}`, username, ...more });

interface Membership {
  readonly slug: string;
  readonly name: string;
  readonly roles: number;
}

const membershipsOf = (username: string, at = service): Promise<Membership[]> =>
  at.query<Membership>(
    `SELECT organization.slug, organization.name, (SELECT count(*)::int FROM organization_member_role AS given
       WHERE given.organization_id = member.organization_id AND given.user_id = member.user_id) AS roles
     FROM organization_member AS member JOIN organization ON organization.id = member.organization_id
     JOIN user_account ON user_account.id = member.user_id WHERE username = $1 ORDER BY slug`,
    [username],
  );

describe('imported organizations', () => {
  it('of Keycloak are created with their members and with domains to verify, once', async () => {
    const domains = [
      { name: 'Made.example', verified: true },
      { name: 'gmail.com', verified: true },
      { name: 7 },
      null,
    ];
    const members = [
      { username: 'made_ann', membershipType: 'MANAGED' },
      { id: 'id-made_bob' },
      { username: 'absent' },
    ];
    const file = realm('made', members, [user('made_ann'), user('made_bob'), user('made_eve')], { domains });
    const before = await stateOf(service);
    const dry = await imported('keycloak', file, { dryRun: true });
    expect(await stateOf(service)).toEqual(before);
    const { totals, lines } = await imported('keycloak', file);
    expect({ totals, lines }).toEqual(dry);
    expect(totals).toMatchObject({ made: 3 });
    expect(await membershipsOf('made_ann')).toEqual([{ slug: 'made', name: 'Company made', roles: 0 }]);
    expect(await membershipsOf('made_bob')).toHaveLength(1);
    expect(await membershipsOf('made_eve')).toEqual([]);
    const claimed = await service.query(
      `SELECT domain, verified_at, members_join FROM organization_domain
       JOIN organization ON organization.id = organization_id WHERE slug = 'made'`,
    );
    expect(claimed).toEqual([{ domain: 'made.example', verified_at: null, members_join: false }]);
    const after = await stateOf(service);
    expect((await imported('keycloak', file)).totals).toMatchObject({ unchanged: 3 });
    expect(await stateOf(service)).toEqual(after);
  });

  it('are found again by a later file, also under another name and after a change of their slug', async () => {
    await imported('keycloak', realm('later', [{ username: 'later_ann' }], [user('later_ann')]));
    const [{ id } = { id: '' }] = await service.query<{ id: string }>(
      `SELECT id FROM organization WHERE slug = 'later'`,
    );
    expect((await admin.patch(`/api/organization/${id}`, { slug: 'moved' })).status).toBe(200);
    const more = { name: 'Renamed there', alias: 'renamed' };
    await imported('keycloak', realm('later', [{ username: 'later_bob' }], [user('later_bob')], more));
    expect(await membershipsOf('later_bob')).toEqual([{ slug: 'moved', name: 'Company later', roles: 0 }]);
  });

  it('are not joined if they were created here, and get another slug', async () => {
    const role = await createRole(admin, 'of_taken', 'taken:read');
    const organization = await createOrganization(admin, 'taken');
    const member = await userWith(service, admin, 'taken_member');
    await addMember(admin, organization, member, role);
    await imported('keycloak', realm('taken', [{ username: 'taken_ann' }], [user('taken_ann')]));
    expect(await membershipsOf('taken_ann')).toEqual([
      { slug: expect.stringMatching(/^taken-[a-z0-9]{6}$/) as string, name: 'Company taken', roles: 0 },
    ]);
  });

  it('are left out, and noted, if both slugs are taken or their id cannot be stored', async () => {
    await imported('keycloak', realm('both', [{ username: 'both_ann' }], [user('both_ann')]));
    // Without the link, these are organizations that were created here.
    const forget = `DELETE FROM imported_organization WHERE source_id = 'o-both'`;
    await service.query(forget);
    const second = await imported('keycloak', realm('both', [{ username: 'both_bob' }], [user('both_bob')]));
    expect(second.totals.notes.organization_left_out).toBeUndefined();
    await service.query(forget);
    const file = realm('both', [{ username: 'both_eve' }], [user('both_eve')]);
    const dry = await imported('keycloak', file, { dryRun: true });
    const { totals, lines } = await imported('keycloak', file);
    expect(dry.totals).toEqual(totals);
    expect(lines[0]?.notes).toContain('organization_left_out');
    expect(await membershipsOf('both_eve')).toEqual([]);
    const odd = realm('odd', [{ username: 'odd_ann' }], [user('odd_ann')], { id: 'x'.repeat(300) });
    expect((await imported('keycloak', odd)).lines[0]?.notes).toContain('organization_left_out');
  });

  it('give their members no permission there', async () => {
    await imported('keycloak', realm('rights', [{ username: 'rights_ann' }], [user('rights_ann')]));
    const [{ id } = { id: '' }] = await service.query<{ id: string }>(
      `SELECT id FROM organization WHERE slug = 'rights'`,
    );
    const account = await storedUser(service, 'rights_ann');
    const check = { scope: 'iam', permission_id: 'organization_member:read', organization_id: id };
    const { body } = await admin.post<{ allowed: boolean }>('/api/permission/check', {
      user_id: account?.['id'],
      checks: [check],
    });
    expect(body.allowed).toBe(false);
  });

  it('do not take back a user whom they removed', async () => {
    await imported('keycloak', realm('removed', [{ username: 'first' }], [user('first')]));
    const [{ id } = { id: '' }] = await service.query<{ id: string }>(
      `SELECT id FROM organization WHERE slug = 'removed'`,
    );
    const email = 'gone@removed.example';
    const created = await admin.post('/api/user', { username: 'gone', email, email_verified: true });
    expect(created.status).toBe(201);
    const userId = String((await storedUser(service, 'gone'))?.['id']);
    await addMember(admin, { id }, { id: userId });
    expect((await admin.delete(`/api/organization/${id}/members/${userId}`)).status).toBe(204);
    const file = realm('removed', [{ username: 'gone_there' }], [user('gone_there', { email, emailVerified: true })]);
    const dry = await imported('keycloak', file, { dryRun: true });
    const { totals, lines } = await imported('keycloak', file);
    expect(totals).toMatchObject({ merged: 1, notes: { organization_left_out: 1 } });
    expect({ totals, lines }).toEqual(dry);
    expect(await membershipsOf('gone')).toEqual([]);
  });

  it('are left alone without --roles, and if they are disabled', async () => {
    const before = await service.query('SELECT count(*) FROM organization');
    const file = realm('without', [{ username: 'without_ann' }], [user('without_ann')]);
    await imported('keycloak', file, { withRoles: false });
    const disabled = realm('disabled', [{ username: 'disabled_ann' }], [user('disabled_ann')], { enabled: false });
    const { totals } = await imported('keycloak', disabled);
    expect(totals.notes.organization_left_out).toBeUndefined();
    expect(await service.query('SELECT count(*) FROM organization')).toEqual(before);
  });

  it('are audited with the import as their reason', async () => {
    const domains = [{ name: 'audited.example' }];
    await imported('keycloak', realm('audited', [{ username: 'audited_ann' }], [user('audited_ann')], { domains }));
    const account = await storedUser(service, 'audited_ann');
    const events = await service.query(
      `SELECT action, reason, after FROM audit_event WHERE target_label = 'Company audited' ORDER BY id`,
    );
    expect(events).toMatchObject([
      { action: 'organization.create', reason: 'import', after: { slug: 'audited' } },
      { action: 'organization.add_domain', reason: 'import', after: { domain: 'audited.example', verified: false } },
      { action: 'organization.add_members', reason: 'import', after: { added: 1, added_ids: [account?.['id']] } },
    ]);
  });

  it('of Auth0 are those that each user names', async () => {
    const organizations = [{ id: 'org_1', name: 'auth-zero', display_name: 'Auth Zero' }, null, { id: 7 }];
    const file = [{ user_id: 'auth0|org', username: 'zero_ann', organizations }];
    const dry = await imported('auth0', file, { dryRun: true });
    const { totals } = await imported('auth0', file);
    expect(totals).toEqual(dry.totals);
    expect(await membershipsOf('zero_ann')).toEqual([
      { slug: 'auth-zero', name: 'Auth Zero', roles: 0 },
      // The word itself is reserved.
      { slug: expect.stringMatching(/^organization-\w{6}$/) as string, name: 'organization', roles: 0 },
    ]);
  });

  it('return from an export of this service, without the roles that it names', async () => {
    const role = await createRole(admin, 'of_exported', 'exported:read');
    const organization = await createOrganization(admin, 'exported', { name: 'Exported Ltd' });
    const ann = await userWith(service, admin, 'exported_ann');
    await addMember(admin, organization, ann, role, await createRoleOf(admin, organization, 'of_exported'));
    expect((await ann.client.get('/api/auth/me', within(organization))).status).toBe(200);
    const users: { readonly username: string }[] = [];
    for await (const one of service.app.get(AccountExportService).users(false)) users.push(one);
    const line = users.find(({ username }) => username === 'exported_ann');
    const { id, slug, name } = organization;
    const roles = [{ scope: 'iam', name: 'of_exported' }];
    expect(line).toMatchObject({ organizations: [{ id, slug, name, roles, permissions: [] }] });
    const other = await TestService.start();
    try {
      const path = join(folder, 'own.json');
      await writeFile(path, JSON.stringify(line));
      expect((await importInto(other, 'castellan', path, { withRoles: true })).totals).toMatchObject({ made: 1 });
      expect(await membershipsOf('exported_ann', other)).toEqual([{ slug, name, roles: 0 }]);
    } finally {
      await other.stop();
    }
  });
});
