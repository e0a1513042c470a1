import { createGroup, GroupAnswer, joinGroup } from '../accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../accounts/holders';
import { register, Registered } from '../oauth/oauth';
import { createRoleOf, OrganizationRoleAnswer } from './organization-roles';
import { addMember, createOrganization, OrganizationAnswer } from './organizations';
import { TestService } from '../service/test-service';

/** An organization with people who are members of no other. */
export interface Side {
  readonly organization: OrganizationAnswer;
  readonly people: readonly UserWithGrants[];
  readonly roles: readonly RoleAnswer[];
  /** One below the other. */
  readonly groups: readonly GroupAnswer[];
  /** Of the organization itself. */
  readonly ownRoles: readonly OrganizationRoleAnswer[];
  readonly application: Registered;
}

/** @param name begins the names of everything that is of the organization */
export async function sideOf(service: TestService, name: string, size: number): Promise<Side> {
  const admin = await service.admin();
  const organization = await createOrganization(admin, `${name}-secret`, {
    name: `${name} hidden`,
    attributes: { name },
  });
  const roles = [
    await createRole(admin, `${name}_role`, `${name}:read`),
    await createRole(admin, `${name}_more`, `${name}:update`),
  ];
  const ownRoles = [
    await createRoleOf(admin, organization, `${name}_own`, [`${name}:read`]),
    await createRoleOf(admin, organization, `${name}_mine`),
  ];
  const people: UserWithGrants[] = [];
  for (let index = 0; index < size; index++) {
    const person = await anyUserWith(service, admin);
    await addMember(admin, organization, person, ...roles.slice(0, index % 3), ownRoles[index % 2]!);
    people.push(person);
  }
  const more = { organization_id: organization.id, role_ids: [roles[0]!.id] };
  const top = await createGroup(admin, `${name} staff`, more);
  const groups = [top, await createGroup(admin, `${name} team`, { ...more, parent_id: top.id })];
  for (const { id } of groups) await joinGroup(admin, id, ...people.map((person) => person.id));
  const application = await register(admin, { name: `${name} app`, organization_id: organization.id });
  return { organization, people, roles, groups, ownRoles, application };
}

/** What is stored of the organization. */
export const storedOf = (service: TestService, { id }: OrganizationAnswer): Promise<object[]> =>
  service.query(
    `SELECT to_jsonb(organization) AS organization, (
       SELECT jsonb_agg(member ORDER BY user_id) FROM organization_member AS member WHERE organization_id = organization.id
     ) AS members, (
       SELECT jsonb_agg(given ORDER BY user_id, role_id) FROM organization_member_role AS given WHERE organization_id = organization.id
     ) AS roles, (
       SELECT jsonb_agg(invitation) FROM invitation WHERE organization_id = organization.id
     ) AS invitations, (
       SELECT jsonb_agg(domain) FROM organization_domain AS domain WHERE organization_id = organization.id
     ) AS domains, (
       SELECT jsonb_agg(owned ORDER BY id) FROM user_group AS owned WHERE organization_id = organization.id
     ) AS groups, (
       SELECT jsonb_agg(owned ORDER BY id) FROM role AS owned WHERE organization_id = organization.id
     ) AS own_roles, (
       SELECT jsonb_agg(given ORDER BY role_id, permission_id) FROM role_grant AS given
       JOIN role ON role.id = role_id WHERE organization_id = organization.id
     ) AS granted, (
       SELECT jsonb_agg(joined ORDER BY group_id, user_id) FROM user_group_member AS joined
       JOIN user_group ON user_group.id = group_id WHERE organization_id = organization.id
     ) AS joined, (
       SELECT jsonb_agg(client) FROM oauth_client AS client WHERE organization_id = organization.id
     ) AS applications, (
       SELECT count(*) FROM audit_event AS event WHERE event.organization_id = organization.id
     ) AS events FROM organization WHERE id = $1`,
    [id],
  );
