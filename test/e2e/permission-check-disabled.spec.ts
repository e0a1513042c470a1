import { PermissionsApi } from '../../src';
import { PermissionChecker } from '../../src/platform/access';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { basic, post, register } from '../support/oauth/oauth';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { SendOptions, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Checked {
  readonly allowed: boolean;
  readonly results: { allowed: boolean; because: unknown; closest: unknown; reason?: string }[];
}

/** Whether the user is allowed it. */
type Check = () => Promise<boolean>;

const PERMISSION = 'plan:read';

let service: TestService;
let admin: TestClient;
let organization: OrganizationAnswer;
/** Holds the permission everywhere and, from another role, in the organization. */
let ann: UserWithGrants;
let machine: SendOptions;
let appId: string;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  organization = await createOrganization(admin, 'acme');
  ann = await anyUserWith(service, admin, PERMISSION);
  await addMember(admin, organization, ann, await createRole(admin, 'planner', PERMISSION));
  const client = await register(admin, {
    redirect_uris: [],
    grant_types: ['client_credentials'],
    scopes: ['permission:read'],
  });
  const form = { grant_type: 'client_credentials', scope: 'permission:read' };
  const { body } = await post(service, '/api/oauth/token', form, basic(client));
  machine = { headers: { authorization: `Bearer ${String(body['access_token'])}` } };
  appId = (await register(admin, { access: { mode: 'restricted', user_ids: [ann.id] } })).id;
});

const checkAs = async (as: TestClient, options: SendOptions = {}, more = {}): Promise<Checked> => {
  const body = { user_id: ann.id, checks: [{ permission_id: PERMISSION, ...more }] };
  return (await as.post<Checked>('/api/permission/check', body, options)).body;
};

async function decide(path: string, more = {}): Promise<boolean> {
  const evaluation = {
    subject: { type: 'user', id: ann.id },
    action: { name: 'read' },
    resource: { type: 'plan', id: '1' },
  };
  const body = path.endsWith('s') ? { evaluations: [{ ...evaluation, ...more }] } : { ...evaluation, ...more };
  const answer = await admin.post<{ decision?: boolean; evaluations?: { decision: boolean }[] }>(path, body);
  return (answer.body.decision ?? answer.body.evaluations?.[0]?.decision) === true;
}

function checks(): Record<string, Check> {
  const code = service.app.get(PermissionsApi, { strict: false });
  const port = service.app.get(PermissionChecker, { strict: false });
  const there = { organizationId: organization.id };
  const passes = async (act: Promise<unknown>): Promise<boolean> =>
    act.then(
      () => true,
      () => false,
    );
  return {
    'POST /api/permission/check': async () => (await checkAs(admin)).allowed,
    'the same, in an organization': async () =>
      (await checkAs(admin, {}, { organization_id: organization.id })).allowed,
    'the same, by a client': async () => (await checkAs(service.client(), machine)).allowed,
    'AuthZEN, one evaluation': () => decide('/access/v1/evaluation'),
    'AuthZEN, several evaluations': () => decide('/access/v1/evaluations'),
    'can() in code': () => code.can(ann.id, PERMISSION),
    'can() in an organization': () => code.can(ann.id, PERMISSION, there),
    'require() in code': () => passes(code.require(ann.id, PERMISSION)),
    'explain() in code': async () => (await code.explain(ann.id, [PERMISSION]))[0]!.allowed,
    'explain() in an organization': async () => (await code.explain(ann.id, [PERMISSION], there))[0]!.allowed,
    'the port of guards': async () => port.isGranted(ann.id, PERMISSION),
    'the port of guards, in an organization': async () => port.isGranted(ann.id, PERMISSION, organization.id),
    'GET /api/auth/verify': async () =>
      (await ann.client.get(`/api/auth/verify?permission=${PERMISSION}`)).status === 204,
    'a preview of a client': async () =>
      (await admin.post<Checked>(`/api/oauth/client/${appId}/preview`, { user_id: ann.id })).body.allowed,
  };
}

async function outcomes(): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const [name, check] of Object.entries(checks())) found[name] = await check();
  return found;
}

const all = (allowed: boolean): Record<string, boolean> =>
  Object.fromEntries(Object.keys(checks()).map((name) => [name, allowed]));

const setStatus = async (status: string): Promise<void> => {
  expect((await admin.patch(`/api/user/${ann.id}`, { status })).status).toBe(200);
};

describe('a disabled user', () => {
  it('is allowed nothing by any check', async () => {
    expect(await outcomes()).toEqual(all(true));
    await setStatus('disabled');
    expect(await outcomes()).toEqual(all(false));
    await setStatus('active');
    ann = { ...ann, client: await service.logIn(ann.username) };
    expect(await outcomes()).toEqual(all(true));
  });

  it('is named as the reason, without a grant that would allow it', async () => {
    await setStatus('disabled');
    expect((await checkAs(admin)).results).toMatchObject([
      { allowed: false, because: null, closest: null, reason: 'subject_disabled' },
    ]);
    await setStatus('active');
    const [result] = (await checkAs(admin)).results;
    expect(result).toMatchObject({ allowed: true });
    expect(result).not.toHaveProperty('reason');
  });

  it('still holds what administrators need for a change of the account', async () => {
    await setStatus('disabled');
    const helpDesk = await anyUserWith(service, admin, 'user:admin');
    const denied = await helpDesk.client.patch<{ code: string }>(`/api/user/${ann.id}`, { nickname: 'Ann' });
    expect([denied.status, denied.body.code]).toEqual([403, 'escalation_denied']);
    await setStatus('active');
  });
});
