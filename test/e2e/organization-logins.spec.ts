import { someoneActing } from '../support/accounts/acting';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { changeSettings, logInByCode, settingsPath } from '../support/organizations/organization-settings';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { staleFor } from '../support/service/staleness';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const CODES = { login_methods: ['email'] };

let service: TestService;
let admin: TestClient;
let owner: RoleAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  owner = await createRole(admin, 'owner', 'organization:update', 'organization_member:read', 'group:read');
});

const newOrganization = (): Promise<OrganizationAnswer> => createOrganization(admin, `strict-${++made}`);

async function ownerOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin);
  for (const organization of organizations) await addMember(admin, organization, holder, owner);
  return holder;
}

const show = (client: TestClient, { id }: OrganizationAnswer) => client.get<Problem>(`/api/organization/${id}`);

describe('an organization that limits the login methods', () => {
  it('rejects members who logged in another way, by path and by header, and no others', async () => {
    const [strict, other] = [await newOrganization(), await newOrganization()];
    const ann = await ownerOf(strict, other);
    const byCode = await logInByCode(service, ann);
    await changeSettings(admin, strict, CODES);
    expectProblem(await show(ann.client, strict), 403, 'login_method_not_accepted');
    expectProblem(await ann.client.get(settingsPath(strict)), 403, 'login_method_not_accepted');
    const groups = `/api/group?organization_id=${strict.id}`;
    expectProblem(await ann.client.get(groups, within(strict)), 403, 'login_method_not_accepted');
    expect((await show(ann.client, other)).status).toBe(200);
    expect((await ann.client.get('/api/auth/sessions')).status).toBe(200);
    expect((await ann.client.get('/api/auth/me', within(strict))).status).toBe(200);
    expect((await show(byCode, strict)).status).toBe(200);
    expect((await byCode.get(groups, within(strict))).status).toBe(200);
  });

  it('is hidden from strangers', async () => {
    const strict = await newOrganization();
    await changeSettings(admin, strict, CODES);
    const stranger = await anyUserWith(service, admin);
    expectProblem(await show(stranger.client, strict), 404, 'not_found');
    expectProblem(await stranger.client.get('/api/auth/sessions', within(strict)), 404, 'not_found');
  });

  it('does not limit who holds the permissions everywhere and is no member', async () => {
    const strict = await newOrganization();
    await changeSettings(admin, strict, CODES);
    expect((await changeSettings(admin, strict, { login_methods: null })).status).toBe(200);
  });

  it('does not limit members who hold everything everywhere', async () => {
    const strict = await newOrganization();
    await changeSettings(admin, strict, CODES);
    const { body: me } = await admin.get<{ id: string }>('/api/auth/me');
    await addMember(admin, strict, me);
    expect((await show(admin, strict)).status).toBe(200);
    expect((await admin.get(`/api/group?organization_id=${strict.id}`, within(strict))).status).toBe(200);
    expect((await changeSettings(admin, strict, { login_methods: null })).status).toBe(200);
  });

  it('does not let a member lock the own login out', async () => {
    const strict = await newOrganization();
    const ann = await ownerOf(strict);
    const { status, body } = await changeSettings(ann.client, strict, CODES);
    expect([status, body.errors]).toMatchObject([400, [{ field: 'login_methods', code: 'own_login_method' }]]);
    expect((await show(ann.client, strict)).status).toBe(200);
    const byCode = await logInByCode(service, ann);
    expect((await changeSettings(byCode, strict, CODES)).status).toBe(200);
    expectProblem(await show(ann.client, strict), 403, 'login_method_not_accepted');
  });

  it('accepts no method that the service does not offer, and keeps one that was offered before', async () => {
    const strict = await newOrganization();
    await changeSettings(admin, strict, { login_methods: ['email', 'password'] });
    await admin.patch('/api/login-method/email', { enabled: false });
    try {
      expect((await changeSettings(admin, strict, { login_methods: ['email'] })).status).toBe(200);
      const answer = await changeSettings(admin, await newOrganization(), CODES);
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ code: 'unknown_login_method' }]]);
    } finally {
      await admin.patch('/api/login-method/email', { enabled: true });
    }
  });

  it('rejects who acts as a member, because the member has not logged in', async () => {
    const strict = await newOrganization();
    const { actor, user } = await someoneActing(service, admin);
    await addMember(admin, strict, user);
    expect((await show(actor.client, strict)).status).toBe(200);
    await changeSettings(admin, strict, { login_methods: ['password'] });
    expectProblem(await show(actor.client, strict), 403, 'login_method_not_accepted');
    expect((await show(user.client, strict)).status).toBe(200);
  });

  it('is limited on every instance within a second', async () => {
    const strict = await newOrganization();
    const ann = await ownerOf(strict);
    const elsewhere = (await service.another()).client();
    const isRejected = async (): Promise<boolean> => {
      const { cookie } = ann.client;
      return (await elsewhere.get(`/api/organization/${strict.id}`, { cookie })).status === 403;
    };
    try {
      expect(await isRejected()).toBe(false);
      await changeSettings(admin, strict, CODES);
      expect(await staleFor(isRejected)).toBeLessThan(1_000);
      await changeSettings(admin, strict, { login_methods: null });
      expect(await staleFor(async () => !(await isRejected()))).toBeLessThan(1_000);
    } finally {
      await service.stopOthers();
    }
  });
});
