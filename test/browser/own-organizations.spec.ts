import { createRole, userWith } from '../support/accounts/holders';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

it('lets users accept, decline and leave, and shows administrators who has not accepted', async () => {
  const boss = await userWith(served.service, admin, 'adds_people');
  const asked = await userWith(served.service, admin, 'is_asked');
  const manage = await createRole(admin, 'adds_members', 'organization_member:*');
  for (const name of ['Asks First', 'Asks Second']) {
    const organization = await createOrganization(admin, name.toLowerCase().replace(' ', '-'), { name });
    await addMember(admin, organization, boss, manage);
    await addMember(boss.client, organization, asked, manage);
    if (name === 'Asks Second') continue;
    await openAs(seen.page, served.address, 'adds_people', PASSWORD, `/account/organizations/${organization.id}`);
    await seen.page.getByRole('group', { name: 'is_asked' }).getByText('Pending').waitFor();
    await expectGoodLooks(seen.page);
  }
  await openAs(seen.page, served.address, 'is_asked', PASSWORD);
  await button('Accept the membership in Asks First').waitFor();
  await expectGoodLooks(seen.page);
  await button('Accept the membership in Asks First').click();
  await seen.page.getByRole('link', { name: 'Open Asks First' }).waitFor();
  await button('Decline the membership in Asks Second').click();
  await button('Decline the membership in Asks Second').waitFor({ state: 'detached' });
  await expectGoodLooks(seen.page);
  await button('Leave Asks First').click();
  await agree(seen.page, 'Leave');
  await button('Leave Asks First').waitFor({ state: 'detached' });
  const { body } = await asked.client.get<{ items: object[] }>('/api/auth/me/organization');
  expect(body.items).toEqual([]);
});
