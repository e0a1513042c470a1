import { logInLongAgo } from '../support/accounts/accounts';
import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface OrganizationPage {
  items: OrganizationAnswer[];
  total: number;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const audited = (action: string, id: string): Promise<object[]> =>
  service.query(
    'SELECT actor_name, target_label, before, after FROM audit_event WHERE action = $1 AND target_id = $2',
    [action, id],
  );

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('a slug', () => {
  const RESERVED = ['account', 'admin', 'api', 'iam', 'login', 'oauth', 'organization', 'register', 'static', 'www'];

  it('that is a name of the service is refused, at creation and change', async () => {
    const { id } = await createOrganization(admin, 'no-admin');
    for (const slug of RESERVED) {
      const body = { slug, name: 'Support' };
      for (const answer of [
        await admin.post<Problem>('/api/organization', body),
        await admin.patch<Problem>(`/api/organization/${id}`, body),
      ]) {
        expect(problemsOf(answer)).toEqual([400, ['slug reserved_slug']]);
        expect(answer.body.errors?.[0]?.detail).toContain('reserved');
      }
    }
  });

  it('stays with an organization that has it already', async () => {
    const { id } = await createOrganization(admin, 'login-of-old');
    await service.query(`UPDATE organization SET slug = 'login' WHERE id = $1`, [id]);
    const kept = await admin.patch(`/api/organization/${id}`, { slug: 'login', name: 'Login' });
    expect(kept).toMatchObject({ status: 200, body: { slug: 'login', name: 'Login' } });
  });
});

describe('an organization', () => {
  it('is created, shown, changed and deleted, and audited each time', async () => {
    const attributes = { tier: 'gold' };
    const start = await endOfFeed(service, admin);
    const made = await createOrganization(admin, 'acme', {
      name: 'Acme Ltd',
      logo: 'https://a.test/logo.svg',
      attributes,
    });
    expect(made).toEqual({
      id: made.id,
      slug: 'acme',
      name: 'Acme Ltd',
      logo: 'https://a.test/logo.svg',
      attributes,
      mfa_required: false,
      created_at: made.created_at,
      updated_at: made.created_at,
    });
    const path = `/api/organization/${made.id}`;
    expect((await admin.get(path)).body).toEqual(made);

    const changed = await admin.patch<OrganizationAnswer>(path, {
      slug: 'acme-2',
      name: 'Acme',
      logo: null,
      attributes: {},
    });
    expect(changed).toMatchObject({ status: 200, body: { slug: 'acme-2', name: 'Acme', logo: '', attributes: {} } });
    expect((await admin.patch(path, { name: 'Acme' })).body).toEqual(changed.body);
    expect((await admin.delete(path)).status).toBe(204);
    for (const method of ['get', 'delete'] as const) expectProblem(await admin[method](path), 404, 'not_found');
    expectProblem(await admin.patch(path, {}), 404, 'not_found');

    const before = { slug: 'acme', name: 'Acme Ltd', logo: made.logo, attributes, mfa_required: false };
    const after = { slug: 'acme-2', name: 'Acme', logo: '', attributes: {}, mfa_required: false };
    const by = { actor_name: 'admin' };
    expect(await audited('organization.create', made.id)).toEqual([
      { ...by, target_label: 'Acme Ltd', before: null, after: before },
    ]);
    expect(await audited('organization.update', made.id)).toEqual([{ ...by, target_label: 'Acme', before, after }]);
    expect(await audited('organization.delete', made.id)).toEqual([
      {
        ...by,
        target_label: 'Acme',
        before: { ...after, member_count: 0, group_count: 0, role_count: 0 },
        after: null,
      },
    ]);
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=organization.*');
    expect(items.map(({ type }) => type)).toEqual([
      'organization.created',
      'organization.updated',
      'organization.deleted',
    ]);
  });

  it('has a unique slug, also of several created at the same time', async () => {
    const other = await createOrganization(admin, 'other');
    await createOrganization(admin, 'taken');
    expectProblem(await admin.post('/api/organization', { slug: 'taken', name: 'X' }), 409, 'name_taken');
    expectProblem(await admin.patch(`/api/organization/${other.id}`, { slug: 'taken' }), 409, 'name_taken');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin.post('/api/organization', { slug: 'raced', name: 'Raced' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('keeps its former slugs for itself', async () => {
    const acme = await createOrganization(admin, 'moved-1');
    const other = await createOrganization(admin, 'mover');
    const rename = ({ id }: OrganizationAnswer, slug: string) =>
      admin.patch<Problem>(`/api/organization/${id}`, { slug });
    expect((await rename(acme, 'moved-2')).status).toBe(200);
    expectProblem(await rename(other, 'moved-1'), 409, 'name_taken');
    expectProblem(await admin.post('/api/organization', { slug: 'moved-1', name: 'X' }), 409, 'name_taken');
    expect((await rename(acme, 'moved-1')).status).toBe(200);
    expectProblem(await rename(other, 'moved-2'), 409, 'name_taken');

    expect((await admin.delete(`/api/organization/${acme.id}`)).status).toBe(204);
    for (const slug of ['moved-1', 'moved-2']) expectProblem(await rename(other, slug), 409, 'name_taken');
    await service.query(`UPDATE organization_former_slug SET released_at = now() - interval '91 days'`);
    expect((await rename(other, 'moved-1')).status).toBe(200);
    expect(await service.query('SELECT slug FROM organization_former_slug')).toEqual([{ slug: 'mover' }]);
  });

  it('reserves no more than ten slugs', async () => {
    const { id } = await createOrganization(admin, 'reserving-0');
    const rename = (slug: string) => admin.patch<Problem>(`/api/organization/${id}`, { slug });
    for (let number = 1; number <= 10; number++) expect((await rename(`reserving-${number}`)).status).toBe(200);
    expectProblem(await rename('reserving-11'), 409, 'too_many_slugs');
    expect((await rename('reserving-3')).status).toBe(200);
  });

  it.each([{ slug: 'stolen' }, { name: 'Stolen' }, { logo: 'https://acme.example/stolen.png' }])(
    'needs a recent login for %j',
    async (change) => {
      const acme = await createOrganization(admin, `kept-${Object.keys(change).join('')}`);
      const owner = await anyUserWith(service, admin, 'organization:update');
      const late = await logInLongAgo(service, owner.username);
      const path = `/api/organization/${acme.id}`;
      expectProblem(await late.patch<Problem>(path, change), 401, 'reauthentication_required');
      expect((await late.patch(path, { attributes: { tier: 'gold' } })).status).toBe(200);
      expect((await owner.client.patch(path, change)).status).toBe(200);
    },
  );

  it.each<[object, string]>([
    [{ slug: 'Bad_Slug' }, 'slug slug'],
    [{ slug: 'a' }, 'slug min_length'],
    [{ slug: UNKNOWN }, 'slug slug'],
    [{ name: ' ' }, 'name group_name'],
    [{ logo: 'http://a.test/x' }, 'logo avatar'],
    [{ attributes: [] }, 'attributes type_object'],
    [{ attributes: null }, 'attributes type_object'],
    [{ attributes: { tier: 1 } }, 'attributes.tier type_text'],
    [{ attributes: { tier: 'x'.repeat(8_192) } }, 'attributes attribute_bytes'],
    [{ id: UNKNOWN }, 'id unknown_field'],
  ])('rejects %j', async (body, problem) => {
    const answer = await admin.post<Problem>('/api/organization', { slug: 'fine', name: 'Fine', ...body });
    expect(problemsOf(answer)).toEqual([400, [problem]]);
  });

  it('is listed by name, searched by name and slug, and only to members and readers', async () => {
    const [one, two] = [
      await createOrganization(admin, 'list-two', { name: 'Bäckerei 100%' }),
      await createOrganization(admin, 'list-one', { name: 'Anton' }),
    ];
    const member = await anyUserWith(service, admin);
    const reader = await anyUserWith(service, admin, 'organization:read');
    await addMember(admin, one, member);
    const found = async (client: TestClient, keyword: string): Promise<unknown> => {
      const query = `keyword=${encodeURIComponent(keyword)}`;
      const { body } = await client.get<OrganizationPage>(`/api/organization?${query}`);
      return [body.items.map(({ slug }) => slug), body.total];
    };
    expect(await found(admin, 'LIST-')).toEqual([['list-one', 'list-two'], 2]);
    expect(await found(reader.client, 'list-')).toEqual([['list-one', 'list-two'], 2]);
    expect(await found(admin, 'BÄCKEREI')).toEqual([['list-two'], 1]);
    expect(await found(admin, '%')).toEqual([['list-two'], 1]);
    expect(await found(member.client, 'list-')).toEqual([['list-two'], 1]);
    const { body } = await admin.get<OrganizationPage>('/api/organization?keyword=list-&page=2&page_size=1');
    expect(body).toMatchObject({ items: [one], total: 2, page: 2, page_size: 1 });
    expect((await member.client.get(`/api/organization/${one.id}`)).body).toEqual(one);
    expectProblem(await member.client.get(`/api/organization/${two.id}`), 404, 'not_found');
    expectProblem(await member.client.get(`/api/organization/${UNKNOWN}`), 404, 'not_found');
  });

  it('needs the permission everywhere to be created, and there to be changed and deleted', async () => {
    const role = await createRole(
      admin,
      'org_owner',
      'organization:create',
      'organization:update',
      'organization:delete',
    );
    const strong = await createRole(admin, 'org_strong', 'report:read');
    const [home, away] = [await createOrganization(admin, 'owned'), await createOrganization(admin, 'not-owned')];
    const [owner, plain] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    await addMember(admin, home, owner, role);
    await addMember(admin, home, plain, strong);
    await addMember(admin, away, plain);
    const path = `/api/organization/${home.id}`;
    expectProblem(await owner.client.post('/api/organization', { slug: 'own', name: 'Own' }), 403, 'permission_denied');
    expect((await owner.client.patch(path, { name: 'Owned' })).status).toBe(200);
    expectProblem(await plain.client.patch(path, { name: 'Mine' }), 403, 'permission_denied');
    for (const method of ['patch', 'delete'] as const) {
      expectProblem(await owner.client[method](`/api/organization/${away.id}`, {}), 404, 'not_found');
    }
    expectProblem(await owner.client.delete(path), 403, 'escalation_denied');
    await admin.delete(`${path}/members/${plain.id}`);
    expect((await owner.client.delete(path)).status).toBe(204);
    expectProblem(await owner.client.get(path), 404, 'not_found');
  });
});
