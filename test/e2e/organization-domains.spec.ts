import { invitationsPerDayPerContact } from '../../src/organizations/invitations';
import { TxtResolver } from '../../src/organizations/domains';
import { OrganizationMembershipsService } from '../../src/rbac';
import { codeResend } from '../../src/verification/code.settings';
import { lastCode } from '../support/receivers/inbox';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, RoleAnswer, systemRole } from '../support/accounts/holders';
import { invited, rolesThere, StoredOrganization, storeOrganization } from '../support/organizations/invitations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface DomainAnswer {
  readonly domain: string;
  readonly status: string;
  readonly txt_name: string;
  readonly txt_value: string;
  readonly members_join: boolean;
  readonly role_ids: string[];
  readonly verified_at: string | null;
}

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

let made = 0;
const newDomain = (): string => `company${++made}.example`;
const newName = (): string => `person_${++made}`;

describe('domains of an organization', () => {
  let service: TestService;
  let admin: TestClient;
  let organization: StoredOrganization;
  let role: RoleAnswer;
  /** The TXT records of the simulated DNS, by name. */
  const records = new Map<string, string[]>();

  withService(async (started) => {
    service = started;
    jest
      .spyOn(service.app.get(TxtResolver, { strict: false }), 'resolve')
      .mockImplementation(async (name) => records.get(name) ?? []);
    admin = await service.admin();
    organization = await storeOrganization(service);
    role = await createRole(admin, 'Reader', 'role:read');
  });

  const path = (domain = '', { id }: { id: string } = organization): string =>
    `/api/organization/${id}/domains${domain && `/${domain}`}`;
  const claim = <T = DomainAnswer>(domain: string, of: { id: string } = organization): Promise<Answer<T>> =>
    admin.post<T>(path('', of), { domain });
  const verify = <T = DomainAnswer>(domain: string, of: { id: string } = organization): Promise<Answer<T>> =>
    admin.post<T>(`${path(domain, of)}/verify`);
  const publish = ({ body }: Answer<DomainAnswer>): void => void records.set(body.txt_name, ['other', body.txt_value]);
  /** A verified domain whose users join with the role. */
  const joinedBy = async (domain: string, of: { id: string } = organization): Promise<void> => {
    publish(await claim(domain, of));
    await verify(domain, of);
    await admin.patch(path(domain, of), { members_join: true, role_ids: [role.id] });
  };
  const there = (username: string, of: { id: string } = organization): Promise<string[] | undefined> =>
    rolesThere(service, of, username);

  it('are claimed, verified by a TXT record and given up', async () => {
    const domain = newDomain();
    const claimed = await claim(domain.toUpperCase());
    expect([claimed.status, claimed.body]).toEqual([
      201,
      {
        domain,
        status: 'pending',
        txt_name: `_castellan-challenge.${domain}`,
        txt_value: claimed.body.txt_value,
        members_join: false,
        role_ids: [],
        set_by: null,
        suspended: false,
        verified_at: null,
        created_at: (claimed.body as unknown as { created_at: string }).created_at,
      },
    ]);
    expect(claimed.body.txt_value).toMatch(/^castellan-domain-verification=[\w-]{22}$/);
    expectProblem(await verify<Problem>(domain), 409, 'domain_not_verified');
    publish(claimed);
    const verified = await verify(domain);
    expect([verified.status, verified.body.status]).toEqual([200, 'verified']);
    records.clear();
    expect((await verify(domain)).body.verified_at).toBe(verified.body.verified_at);
    expect((await admin.get<{ items: object[] }>(path())).body.items).toContainEqual(verified.body);
    expect((await admin.delete(path(domain))).status).toBe(204);
    expectProblem(await admin.delete<Problem>(path(domain)), 404, 'not_found');
    const { body } = await admin.get<{ items: { action: string }[] }>(`/api/audit?target_id=${organization.id}`);
    expect(body.items.map(({ action }) => action).slice(0, 3)).toEqual([
      'organization.remove_domain',
      'organization.verify_domain',
      'organization.add_domain',
    ]);
  });

  it('belong to the organization that proves them first', async () => {
    const domain = newDomain();
    const other = await storeOrganization(service, 'Other');
    const claims = [await claim(domain), await claim(domain, other)];
    records.set(
      `_castellan-challenge.${domain}`,
      claims.map(({ body }) => body.txt_value),
    );
    const answers = await Promise.all([verify<Problem>(domain), verify<Problem>(domain, other)]);
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [200, undefined],
      [409, 'domain_taken'],
    ]);
  });

  it('pass to an organization that proves them when the record of the owner is gone', async () => {
    const domain = newDomain();
    const other = await storeOrganization(service, 'Other');
    await joinedBy(domain);
    publish(await claim(domain, other));
    expect((await verify(domain, other)).body.status).toBe('verified');
    const { items } = (await admin.get<{ items: DomainAnswer[] }>(path())).body;
    expect(items.find((item) => item.domain === domain)).toMatchObject({
      status: 'pending',
      members_join: false,
      role_ids: [role.id],
    });
    const audit = await admin.get<{ items: object[] }>(`/api/audit?target_id=${organization.id}`);
    expect(audit.body.items[0]).toMatchObject({
      action: 'organization.update_domain',
      reason: 'proved by another organization',
      before: { domain, verified: true, members_join: true },
      after: { domain, verified: false, members_join: false },
    });
    expectProblem(await verify<Problem>(domain), 409, 'domain_not_verified');
  });

  it('are claimed once by an organization', async () => {
    const domain = newDomain();
    await claim(domain);
    expectProblem(await claim<Problem>(domain), 409, 'name_taken');
  });

  it('are claimed in their ASCII form', async () => {
    const { body } = await claim('Bücher.example');
    expect(body.domain).toBe('xn--bcher-kva.example');
    expect((await admin.delete(path(encodeURIComponent('bücher.example')))).status).toBe(204);
  });

  it.each([
    ['com', 'domain'],
    ['gmail.com', 'domain_not_allowed'],
    ['', 'min_length'],
    [7, 'type_text'],
  ])('are rejected: %j', async (domain, code) => {
    const answer = await admin.post<Problem>(path(), { domain });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'domain', code }]);
  });

  it('are at most a hundred', async () => {
    const other = await storeOrganization(service, 'Collector');
    await service.query(
      `INSERT INTO organization_domain (organization_id, domain, txt_value)
       SELECT $1, 'd' || number || '.example', 'x' FROM generate_series(1, 98) AS number`,
      [other.id],
    );
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => claim<Problem>(newDomain(), other)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expectProblem(await claim<Problem>(newDomain(), other), 409, 'too_many_domains');
  });

  it('are not found, and never an error of the service, while the organization is deleted', async () => {
    const of = await Promise.all([1, 2, 3].map(() => storeOrganization(service, 'Short-lived')));
    const answers = await Promise.all(
      of.flatMap((one) => [
        claim(newDomain(), one),
        admin.delete(`/api/organization/${one.id}`),
        claim(newDomain(), one),
      ]),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![201, 204, 404].includes(status))).toEqual([]);
  });

  it('are not found where they are not claimed, or the organization is unknown', async () => {
    const [domain, unknown] = [newDomain(), { id: UNKNOWN_ID }];
    expectProblem(await verify<Problem>(domain), 404, 'not_found');
    expectProblem(await admin.patch<Problem>(path(domain), { members_join: true }), 404, 'not_found');
    expectProblem(await admin.patch<Problem>(path('x'), { members_join: true }), 404, 'not_found');
    expectProblem(await claim<Problem>(domain, unknown), 404, 'not_found');
    expectProblem(await admin.get<Problem>(path('', unknown)), 404, 'not_found');
  });

  it('give no role with permissions that the caller lacks', async () => {
    const domain = newDomain();
    await claim(domain);
    const { client } = await anyUserWith(service, admin, 'organization_domain:update');
    const wider = await createRole(admin, 'Wider', 'setting:read');
    expectProblem(await client.patch<Problem>(path(domain), { role_ids: [wider.id] }), 403, 'escalation_denied');
    const { id } = await systemRole(admin, 'admin');
    expectProblem(await admin.patch<Problem>(path(domain), { role_ids: [id] }), 403, 'system_role_protected');
    const unknown = await client.patch<Problem>(path(domain), { role_ids: [UNKNOWN_ID] });
    expect(unknown.body.errors).toMatchObject([{ field: 'role_ids[0]', code: 'unknown_role' }]);
    expect((await client.patch(path(domain), { members_join: true })).status).toBe(200);
    const { body } = await admin.get<{ items: object[] }>('/api/audit?action=organization.update_domain');
    expect(body.items[0]).toMatchObject({
      target: { id: organization.id },
      before: { domain, members_join: false },
      after: { domain, members_join: true, role_ids: [] },
    });
  });

  describe('let users join', () => {
    /** Registers with a code that was sent to the address. */
    const registerProven = async (username: string, email: string): Promise<void> => {
      await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
      await service.register(username, { email, email_code: lastCode(service, email) });
    };

    it('who register with a verified address, with the roles', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      await registerProven(username, `Ann@${domain.toUpperCase()}`);
      expect(await there(username)).toEqual([role.id]);
      const { body } = await admin.get<{ items: object[] }>('/api/audit?action=organization.add_members');
      expect(body.items[0]).toMatchObject({ target: { id: organization.id }, reason: `domain ${domain}` });
    });

    it('who verify an address later', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      const client = await service.signUp(username, { email: `bob@${domain}` });
      expect(await there(username)).toBeUndefined();
      await client.post('/api/auth/codes', { purpose: 'bind', channel: 'email', target: `bob@${domain}` });
      const code = lastCode(service, `bob@${domain}`);
      const answer = await client.patch('/api/auth/me', { email: `bob@${domain}`, email_code: code });
      expect(answer.status).toBe(200);
      expect(await there(username)).toEqual([role.id]);
    });

    /** Verifies the address by a code in the profile. */
    const prove = async (client: TestClient, email: string): Promise<void> => {
      await client.post('/api/auth/codes', { purpose: 'bind', channel: 'email', target: email });
      const answer = await client.patch<Problem>('/api/auth/me', { email, email_code: lastCode(service, email) });
      expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    };
    const member = async (client: TestClient): Promise<string> =>
      `/api/organization/${organization.id}/members/${(await client.get<{ id: string }>('/api/auth/me')).body.id}`;

    it('whose roles there stay as they are when they verify an address again', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      await registerProven(username, `fay@${domain}`);
      const client = await service.logIn(username);
      expect((await admin.patch(await member(client), { role_ids: [] })).status).toBe(200);
      await service.set(codeResend, 0);
      await prove(client, `fay@${domain}`);
      await prove(client, `fay2@${domain}`);
      expect(await there(username)).toEqual([]);
    });

    it('unless they were removed, until they are added again', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      await registerProven(username, `gus@${domain}`);
      const client = await service.logIn(username);
      const path = await member(client);
      expect((await admin.delete(path)).status).toBe(204);
      await prove(client, `gus2@${domain}`);
      expect(await there(username)).toBeUndefined();

      const user_id = path.slice(path.lastIndexOf('/') + 1);
      await admin.post(path.slice(0, path.lastIndexOf('/')), { user_id, role_ids: [] });
      expect(await there(username)).toEqual([]);
      expect(await service.query('SELECT 1 FROM organization_removal WHERE user_id = $1', [user_id])).toEqual([]);
    });

    it('without an effect on the account if it fails', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      const members = service.app.get(OrganizationMembershipsService, { strict: false });
      const failing = jest.spyOn(members, 'admit').mockRejectedValue(new Error('staged'));
      await registerProven(username, `hal@${domain}`);
      failing.mockRestore();
      expect((await service.logIn(username)).constructor).toBe(TestClient);
      expect(await there(username)).toBeUndefined();
      expect(service.logLines.some((line) => line.includes('A contacts.proven listener failed'))).toBe(true);
    });

    it('whose invitation to another organization verified the address', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      await service.set(invitationsPerDayPerContact, 1_000);
      const other = await storeOrganization(service, 'Other');
      const token = await invited(service, admin, other, `cat@${domain}`);
      await service.register(username, { invitation_token: token });
      expect([await there(username), await there(username, other)]).toEqual([[role.id], []]);
    });

    it.each([
      ['while the setting is off', { members_join: false }],
      ['before the domain is verified', undefined],
    ])('never %s', async (_, change) => {
      const [domain, username] = [newDomain(), newName()];
      if (change) {
        await joinedBy(domain);
        await admin.patch(path(domain), change);
      } else {
        await claim(domain);
        await admin.patch(path(domain), { members_join: true });
      }
      await registerProven(username, `dan@${domain}`);
      expect(await there(username)).toBeUndefined();
    });

    it('never with an address of a domain below', async () => {
      const [domain, username] = [newDomain(), newName()];
      await joinedBy(domain);
      await registerProven(username, `eve@below.${domain}`);
      expect(await there(username)).toBeUndefined();
    });
  });
});
