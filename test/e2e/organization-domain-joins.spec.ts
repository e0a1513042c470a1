import { OrganizationMembershipsService } from '../../src/rbac';
import { DomainMembersService } from '../../src/organizations/domains/domain-members.service';
import { DomainJoinsJob } from '../../src/organizations/domains/domain-joins.job';
import { itOnServer } from '../support/service/on-server';
import { lastCode } from '../support/receivers/inbox';
import { rolesThere, StoredOrganization, storeOrganization } from '../support/organizations/invitations';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const DOMAIN = 'joined.example';

let service: TestService;
let organization: StoredOrganization;
let job: DomainJoinsJob;

withService(async (started) => {
  service = started;
  organization = await storeOrganization(service);
  job = service.app.get(DomainJoinsJob, { strict: false });
  await service.admin();
  const [administrator] = await service.query<{ id: string }>(`SELECT id FROM user_account WHERE username = 'admin'`);
  await service.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value, verified_at, members_join, rule_set_by)
     VALUES ($1, $2, 'x', now(), true, $3)`,
    [organization.id, DOMAIN, administrator!.id],
  );
});

/** Proves an address of the domain at registration, while adding the member fails. */
async function registerFailing(username: string): Promise<void> {
  const members = service.app.get(OrganizationMembershipsService, { strict: false });
  const failing = jest.spyOn(members, 'admit').mockRejectedValue(new Error('staged'));
  const email = `${username}@${DOMAIN}`;
  await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
  await service.register(username, { email, email_code: lastCode(service, email) });
  failing.mockRestore();
  expect(await rolesThere(service, organization, username)).toBeUndefined();
}

const age = (): Promise<object[]> =>
  service.query(`UPDATE organization_domain_join SET attempted_at = now() - interval '1 minute'`);
const left = (): Promise<object[]> => service.query('SELECT domain FROM organization_domain_join');

describe('a membership by domain that failed', () => {
  it('is repeated once, by any of several instances', async () => {
    await registerFailing('repeated');
    await job.run();
    expect(await left()).toEqual([{ domain: DOMAIN }]);
    await age();
    await Promise.all([job.run(), job.run()]);
    expect(await rolesThere(service, organization, 'repeated')).toEqual([]);
    expect(await left()).toEqual([]);
    const events = await service.query(
      `SELECT actor_name, reason, organization_id FROM audit_event WHERE action = 'organization.add_members'`,
    );
    expect(events).toEqual([{ actor_name: null, reason: `domain ${DOMAIN}`, organization_id: organization.id }]);
  });

  it('is kept while it fails, and holds no others back', async () => {
    await registerFailing('unlucky');
    await registerFailing('luckier');
    await age();
    const members = service.app.get(OrganizationMembershipsService, { strict: false });
    const failing = jest.spyOn(members, 'admit').mockRejectedValueOnce(new Error('staged'));
    await job.run();
    failing.mockRestore();
    expect(await left()).toHaveLength(1);
    await age();
    await job.run();
    expect(await left()).toEqual([]);
    for (const name of ['unlucky', 'luckier']) expect(await rolesThere(service, organization, name)).toEqual([]);
  });

  it('is repeated behind more failures than a page holds', async () => {
    await service.query(
      `INSERT INTO organization_domain_join (user_id, domain, organization_id, attempted_at)
       SELECT gen_random_uuid(), $1, $2, now() - interval '1 hour' FROM generate_series(1, 120)`,
      [DOMAIN, organization.id],
    );
    await registerFailing('behind');
    await service.query(
      `UPDATE organization_domain_join SET attempted_at = now() - interval '1 minute'
       WHERE user_id = (SELECT id FROM user_account WHERE username = 'behind')`,
    );
    const [user] = await service.query<{ id: string }>(`SELECT id FROM user_account WHERE username = 'behind'`);
    const members = service.app.get(DomainMembersService, { strict: false });
    const complete = members.complete.bind(members);
    const failing = jest.spyOn(members, 'complete').mockImplementation(async (join) => {
      if (join.userId !== user!.id) throw new Error('staged');
      await complete(join);
    });
    await job.run();
    failing.mockRestore();
    expect(await rolesThere(service, organization, 'behind')).toEqual([]);
    expect(await left()).toHaveLength(120);
    await service.query('DELETE FROM organization_domain_join');
  });

  it('is given up after days of failures', async () => {
    await registerFailing('hopeless');
    await age();
    await service.query(`UPDATE organization_domain_join SET created_at = now() - interval '8 days'`);
    const members = service.app.get(OrganizationMembershipsService, { strict: false });
    const failing = jest.spyOn(members, 'admit').mockRejectedValueOnce(new Error('staged'));
    await job.run();
    failing.mockRestore();
    expect(await left()).toEqual([]);
    expect(await rolesThere(service, organization, 'hopeless')).toBeUndefined();
  });

  it('is given up when the user has another address since', async () => {
    await registerFailing('moved');
    await age();
    await service.query(
      `UPDATE user_account SET email = 'moved@elsewhere.example', email_key = 'moved@elsewhere.example'
       WHERE username = 'moved'`,
    );
    await job.run();
    expect(await rolesThere(service, organization, 'moved')).toBeUndefined();
    expect(await left()).toEqual([]);
  });

  it('is given up when the address is no longer verified', async () => {
    await registerFailing('unproved');
    await age();
    await service.query(`UPDATE user_account SET email_verified = false WHERE username = 'unproved'`);
    await job.run();
    expect(await rolesThere(service, organization, 'unproved')).toBeUndefined();
    expect(await left()).toEqual([]);
  });

  it('is given up when the domain belongs to another organization since', async () => {
    await registerFailing('sold');
    await age();
    const buyer = await storeOrganization(service);
    const hand = (to: StoredOrganization): Promise<object[]> =>
      service.query('UPDATE organization_domain SET organization_id = $1 WHERE domain = $2', [to.id, DOMAIN]);
    await hand(buyer);
    await job.run();
    await hand(organization);
    for (const place of [organization, buyer]) expect(await rolesThere(service, place, 'sold')).toBeUndefined();
    expect(await left()).toEqual([]);
  });

  itOnServer('holds its note only after the user, as the proof of an address does', async () => {
    await registerFailing('ordered');
    await age();
    const members = service.app.get(OrganizationMembershipsService, { strict: false });
    const admit = members.admit.bind(members);
    let free: object[] = [];
    const admitting = jest.spyOn(members, 'admit').mockImplementation(async (...joining) => {
      const isNew = await admit(...joining);
      free = await service.query('SELECT domain FROM organization_domain_join FOR UPDATE SKIP LOCKED');
      return isNew;
    });
    await job.run();
    admitting.mockRestore();
    expect(free).toEqual([{ domain: DOMAIN }]);
    expect(await rolesThere(service, organization, 'ordered')).toEqual([]);
  });

  it('is given up when the domain no longer lets users join', async () => {
    await registerFailing('late');
    await age();
    await service.query('UPDATE organization_domain SET members_join = false');
    await job.run();
    expect(await rolesThere(service, organization, 'late')).toBeUndefined();
    expect(await left()).toEqual([]);
    await service.query('UPDATE organization_domain SET members_join = true');
  });

  it('is given up for an account that is gone', async () => {
    await registerFailing('gone');
    await service.query(`DELETE FROM user_account WHERE username = 'gone'`);
    await age();
    await job.run();
    expect(await left()).toEqual([]);
  });

  it('is not noted for addresses of other domains', async () => {
    const email = 'other@elsewhere.example';
    await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
    await service.register('other', { email, email_code: lastCode(service, email) });
    expect(await left()).toEqual([]);
  });
});
