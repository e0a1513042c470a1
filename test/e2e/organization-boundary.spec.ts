import fc from 'fast-check';
import { accessTable } from '../support/access-table';
import { anyHolder, createRole, Holder, RoleAnswer } from '../support/holders';
import { invite } from '../support/invitations';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations';
import { Answer, Method, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';
import { withService } from '../support/with-service';

/** Fixed, so that a failure repeats. */
const SEED = 35;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** They would not end. */
const STREAM = /\/stream$/;

/** An organisation with people who are members of no other. */
interface Side {
  readonly organization: OrganizationAnswer;
  readonly people: readonly Holder[];
  readonly roles: readonly RoleAnswer[];
}

interface MemberList {
  items: { id: string }[];
  total?: number;
}

let service: TestService;
let admin: TestClient;
let home: Side;
let away: Side;
let boss: Holder;
/** A member of both. */
let both: Holder;
/** Of the other organisation. */
let invitationId: string;

async function sideOf(name: string, size: number): Promise<Side> {
  const organization = await createOrganization(admin, `${name}-secret`, {
    name: `${name} hidden`,
    attributes: { name },
  });
  const roles = [
    await createRole(admin, `${name}_role`, `${name}:read`),
    await createRole(admin, `${name}_more`, `${name}:update`),
  ];
  const people: Holder[] = [];
  for (let index = 0; index < size; index++) {
    const person = await anyHolder(service, admin);
    await addMember(admin, organization, person, ...roles.slice(0, index % 3));
    people.push(person);
  }
  return { organization, people, roles };
}

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await sideOf('homely', 3), await sideOf('faraway', 5)];
  both = await anyHolder(service, admin);
  boss = await anyHolder(service, admin);
  const everything = await createRole(
    admin,
    'everything_there',
    ...[
      'organization',
      'organization_member',
      'invitation',
      'organization_domain',
      'group',
      'role',
      'user',
      'permission',
      'audit',
      'event',
    ].map((resource) => `${resource}:admin`),
    'homely:admin',
  );
  await addMember(admin, home.organization, boss, everything);
  await addMember(admin, home.organization, both, ...home.roles);
  await addMember(admin, away.organization, both, ...away.roles);
  invitationId = (await invite(admin, away.organization, { email: 'guest@faraway.example' })).body.id;
  await admin.post(`/api/organization/${away.organization.id}/domains`, { domain: 'faraway.example' });
});

/** What is stored of the other organisation. */
const stored = (): Promise<object[]> =>
  service.query(
    `SELECT to_jsonb(organization) AS organization, (
       SELECT jsonb_agg(member ORDER BY user_id) FROM organization_member AS member WHERE organization_id = organization.id
     ) AS members, (
       SELECT jsonb_agg(given ORDER BY user_id, role_id) FROM organization_member_role AS given WHERE organization_id = organization.id
     ) AS roles, (
       SELECT jsonb_agg(invitation) FROM invitation WHERE organization_id = organization.id
     ) AS invitations, (
       SELECT jsonb_agg(domain) FROM organization_domain AS domain WHERE organization_id = organization.id
     ) AS domains FROM organization WHERE id = $1`,
    [away.organization.id],
  );

/** Texts of the other organisation and of those who are in it alone. The answer may repeat an id of the request. */
const secrets = (): string[] => [
  away.organization.slug,
  away.organization.name,
  ...away.people.flatMap(({ id, username }) => [id, username]),
  ...away.roles.map(({ id }) => id),
  invitationId,
  'guest@faraway.example',
  'faraway.example',
];

const routes = Object.keys(accessTable).filter(
  (route) => METHODS.includes(route.split(' ')[0] ?? '') && route.includes(' /api/') && !STREAM.test(route),
);
/** Routes of the account itself would log the administrator out, or change the account. */
const walked = routes.filter((route) => route.startsWith('GET ') || !/ \/api\/(?:auth|oauth|session)\b/.test(route));

interface Step {
  readonly route: string;
  /** That of the header. */
  readonly organization: string | undefined;
  readonly id: string;
  readonly other: string;
  /** Names the own organisation in the path, and people of the other one. */
  readonly isOwn: boolean;
}

/** The own organisation may be changed. */
const changesOwn = ({ route, isOwn, other }: Step): boolean =>
  isOwn && !route.startsWith('GET ') && (other === both.id || !/\{(?:user|invitation)_id\}/.test(route));

function send({ route, organization, id, other, isOwn }: Step): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const first = isOwn && path.includes('/organization/') ? home.organization.id : id;
  const body = {
    name: 'Changed',
    role_ids: [away.roles[0]?.id],
    user_id: other,
    user_ids: [other],
    organization_id: id,
  };
  return boss.client.send(method as Method, path.replace(/\{\w+\}/, first).replace(/\{\w+\}/g, other), {
    ...(organization !== undefined && within({ id: organization })),
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { body }),
  });
}

/** Routes that need no login ignore the header, as do those that need a token of an application. */
const needsLogin = (route: string): boolean => accessTable[route]?.[0] === 401 && accessTable[route][1] !== 401;

describe('an administrator of one organisation', () => {
  it('reads and changes nothing of another one, by any route, id or header', async () => {
    const before = await stored();
    const people = [...away.people, both].map(({ id }) => id);
    const ids = fc.constantFrom(away.organization.id, invitationId, ...people, ...away.roles.map(({ id }) => id));
    const steps = fc.record({
      route: fc.constantFrom(...walked, ...walked.filter((route) => route.includes('organization'))),
      organization: fc.constantFrom(home.organization.id, away.organization.id, undefined),
      id: ids,
      other: ids,
      isOwn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(steps, async (step) => {
        if (changesOwn(step)) return;
        const { status, text } = await send(step);
        expect(status).toBeLessThan(500);
        if (step.organization === away.organization.id && needsLogin(step.route)) expect(status).toBe(404);
        const shown = secrets().filter((secret) => text.includes(secret) && ![step.id, step.other].includes(secret));
        expect(shown).toEqual([]);
      }),
      { seed: SEED, numRuns: 600 },
    );
    expect(await stored()).toEqual(before);
  });

  it.each(routes.filter((route) => route.includes('{invitation_id}')))(
    'finds no invitation of another one by %s of the own',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const own = path.replace('{id}', home.organization.id).replace('{invitation_id}', invitationId);
      expect((await boss.client.send(method as Method, own)).status).toBe(404);
    },
  );

  it('counts and lists the members of the own organisation only, also of those who are in both', async () => {
    const list = <T>(path: string): Promise<Answer<T>> => boss.client.get<T>(path, within(home.organization));
    const own = [...home.people, both, boss].map(({ id }) => id).sort();
    const members = `/api/organization/${home.organization.id}/members`;
    for (const query of ['?page_size=100', '?cursor=&page_size=100']) {
      const { body } = await list<MemberList>(`${members}${query}`);
      expect(body.items.map(({ id }) => id).sort()).toEqual(own);
      expect(body.total ?? own.length).toBe(own.length);
    }
    expect((await list<MemberList>('/api/organization?keyword=hidden')).body).toMatchObject({
      items: [{ id: home.organization.id }],
      total: 1,
    });
    const { body } = await list<{ role_ids: string[] }>(`${members}/${both.id}`);
    expect(body.role_ids).toEqual(home.roles.map(({ id }) => id).sort());
  });

  it('gives no one in the own organisation what is held in the other one', async () => {
    const checks = [home.organization.id, away.organization.id].map((organization_id) => ({
      permission_id: 'faraway:read',
      organization_id,
    }));
    const { body } = await both.client.post<{ results: { allowed: boolean }[] }>('/api/permission/check', { checks });
    expect(body.results.map(({ allowed }) => allowed)).toEqual([false, true]);
    const path = `/api/organization/${home.organization.id}/members/${both.id}`;
    const answer = await boss.client.patch(path, { role_ids: away.roles.map(({ id }) => id) });
    expect(answer.status).toBe(403);
  });
});
