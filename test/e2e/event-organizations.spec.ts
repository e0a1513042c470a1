import { endOfFeed, EventPage, eventsSince, FeedItem } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let [acme, globex]: OrganizationAnswer[] = [];
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
  ann = await anyUserWith(service, admin);
  for (const organization of [acme, globex]) await addMember(admin, organization, ann);
});

async function eventsOf(work: () => Promise<unknown>): Promise<FeedItem[]> {
  const start = await endOfFeed(service, admin);
  await work();
  return (await eventsSince(service, admin, start)).items;
}

describe('events of an organization', () => {
  it('name it, and those of the service name none', async () => {
    const events = await eventsOf(async () => {
      await createGroup(admin, 'Sales', { organization_id: acme!.id });
      await createGroup(admin, 'Sales');
      await admin.patch(`/api/organization/${globex!.id}`, { name: 'Globex' });
      await admin.patch(`/api/user/${ann.id}/permissions`, {
        add: [{ permission_id: 'crm:read', organization_id: acme!.id }],
      });
    });
    expect(events.map(({ type, organization_id }) => [type, organization_id])).toEqual([
      ['group.created', acme!.id],
      ['group.created', undefined],
      ['organization.updated', globex!.id],
      ['grant.changed', acme!.id],
    ]);
  });

  it('are selected by organization_id, in the feed and in the list of the latest', async () => {
    const start = await endOfFeed(service, admin);
    const names = { one: acme!.id, two: globex!.id, three: acme!.id, four: undefined };
    for (const [name, organization_id] of Object.entries(names)) await createGroup(admin, name, { organization_id });
    await eventsSince(service, admin, start);
    const filter = `types=group.*&organization_id=${acme!.id}`;
    const { body } = await admin.get<EventPage>(`/api/event?${filter}&cursor=${encodeURIComponent(start)}`);
    expect(body.items.map(({ subject }) => subject?.name)).toEqual(['one', 'three']);
    const recent = await admin.get<EventPage>(`/api/event/recent?limit=2&${filter}`);
    expect(recent.body.items.map(({ subject }) => subject?.name)).toEqual(['three', 'one']);
  });

  it('are selected by an id only', async () => {
    expectProblem(await admin.get('/api/event?organization_id=acme'), 400, 'validation_failed');
  });

  it('are never the type of a grant that holds everywhere', async () => {
    const reader = await createRole(admin, 'reader', 'crm:read');
    const clerk = await createRoleOf(admin, acme!, 'clerk', ['crm:read']);
    const there = { organization_id: acme!.id };
    const members = `/api/organization/${acme!.id}/members/${ann.id}`;
    const events = await eventsOf(async () => {
      await admin.post(`/api/role/${clerk.id}/users`, { user_ids: [ann.id] });
      await admin.put(`/api/role/${clerk.id}/users`, { user_ids: [] });
      await admin.post(`/api/role/${reader.id}/users`, { user_ids: [ann.id], ...there });
      await admin.patch(members, { role_ids: [clerk.id] });
      await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [reader.id], ...there });
    });
    expect(events.map(({ type, organization_id }) => [type, organization_id])).toEqual(
      [
        'organization.role_assigned',
        'organization.role_unassigned',
        'organization.member_updated',
        'organization.member_updated',
        'organization.member_updated',
      ].map((type) => [type, acme!.id]),
    );
    expect(events[0]).toMatchObject({
      subject: { type: 'user', id: ann.id },
      data: { role_ids: [clerk.id], organization_id: acme!.id },
    });
    const everywhere = await eventsOf(() => admin.post(`/api/role/${reader.id}/users`, { user_ids: [ann.id] }));
    expect(everywhere.map(({ type, organization_id }) => [type, organization_id])).toEqual([
      ['role.assigned', undefined],
    ]);
  });
});
