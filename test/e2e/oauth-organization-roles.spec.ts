import { anyUserWith, createRole } from '../support/accounts/holders';
import { logInAt, register, relyingParty } from '../support/oauth/oauth';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;

withService((started) => {
  service = started;
});

describe('the claim organization_roles', () => {
  it('names the roles of the organization so that none looks like one of the service', async () => {
    const admin = await service.admin();
    const app = await register(admin, { scopes: ['openid', 'organization'] });
    const config = await relyingParty(() => service, app);
    const [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
    const [bookkeeper] = [await createRole(admin, 'bookkeeper'), await createRole(admin, 'auditor')];
    const ann = await anyUserWith(service, admin);
    for (const organization of [acme, globex]) {
      await addMember(admin, organization, ann, bookkeeper, await createRoleOf(admin, organization, 'auditor'));
    }
    const lead = { name: 'lead', scope: 'crm', organization_id: acme.id };
    await addMember(admin, acme, ann, (await admin.post<{ id: string }>('/api/role', lead)).body);
    const claimsAt = async (organization: string): Promise<unknown> => {
      const tokens = await logInAt(config, ann.client, { scope: 'openid organization', organization });
      return tokens.claims()?.['organization_roles'];
    };
    expect(await claimsAt('acme')).toEqual(['bookkeeper', 'organization/crm:lead', 'organization/auditor']);
    expect(await claimsAt('globex')).toEqual(['bookkeeper', 'organization/auditor']);
  });
});
