import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from './holders';
import {
  addMember,
  createOrganization,
  OrganizationAnswer,
  OrganizationMemberAnswer,
} from '../organizations/organizations';
import { Answer, Problem, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export const OWN_ORGANIZATIONS = '/api/auth/me/organization';

interface OwnOrganizations {
  readonly items: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly logo: string;
    readonly status: string;
    readonly roles: string[];
  }[];
}

type Member = OrganizationMemberAnswer & { readonly status: string };

export const ownOrganizations = async ({ client }: UserWithGrants): Promise<OwnOrganizations['items']> =>
  (await client.get<OwnOrganizations>(OWN_ORGANIZATIONS)).body.items;

/** An organization with a user who manages its members, and holds nothing elsewhere. */
export class PendingStage {
  private constructor(
    private readonly service: TestService,
    private readonly admin: TestClient,
    readonly organization: OrganizationAnswer,
    readonly manage: RoleAnswer,
    /** The boss may give it. */
    readonly reader: RoleAnswer,
    readonly boss: UserWithGrants,
  ) {}

  static async start(service: TestService): Promise<PendingStage> {
    const admin = await service.admin();
    const organization = await createOrganization(admin, 'acme', { name: 'Acme Ltd' });
    const permissions = ['organization_member:read', 'organization_member:update', 'report:read'];
    const manage = await createRole(admin, 'manage', ...permissions);
    const reader = await createRole(admin, 'reader', 'report:read');
    const boss = await anyUserWith(service, admin);
    await addMember(admin, organization, boss, manage);
    return new PendingStage(service, admin, organization, manage, reader, boss);
  }

  /** The members, or one. */
  path(id?: string): string {
    const members = `/api/organization/${this.organization.id}/members`;
    return id === undefined ? members : `${members}/${id}`;
  }

  async bossOf(organization: OrganizationAnswer): Promise<UserWithGrants> {
    const holder = await anyUserWith(this.service, this.admin);
    await addMember(this.admin, organization, holder, this.manage);
    return holder;
  }

  /** A user that the boss has added. */
  async pendingOne(...roles: { readonly id: string }[]): Promise<UserWithGrants> {
    const holder = await anyUserWith(this.service, this.admin);
    await addMember(this.boss.client, this.organization, holder, ...roles);
    return holder;
  }

  async member({ id }: UserWithGrants): Promise<Partial<Member>> {
    return (await this.admin.get<Member>(this.path(id))).body;
  }

  accept({ client }: UserWithGrants, { id } = this.organization): Promise<Answer<Problem>> {
    return client.post(`${OWN_ORGANIZATIONS}/${id}/accept`, {});
  }

  leave({ client }: UserWithGrants, { id } = this.organization): Promise<Answer<Problem>> {
    return client.delete(`${OWN_ORGANIZATIONS}/${id}`);
  }

  /** Whether a check in the organization finds what the role `reader` grants. */
  async holds({ id }: UserWithGrants): Promise<boolean> {
    const checks = [{ scope: 'iam', permission_id: 'report:read', organization_id: this.organization.id }];
    return (await this.admin.post<{ allowed: boolean }>('/api/permission/check', { user_id: id, checks })).body.allowed;
  }

  /** The acts on the membership of the user: action, actor and reason. */
  async actsOn({ id }: UserWithGrants): Promise<unknown[]> {
    const rows = await this.service.query<{ action: string; actor_id: string; reason: string | null }>(
      `SELECT action, actor_id, reason FROM audit_event WHERE organization_id = $1 AND (after -> 'added_ids' ? $2::text
         OR after -> 'removed_ids' ? $2::text OR after ->> 'user_id' = $2) ORDER BY id`,
      [this.organization.id, id],
    );
    return rows.map(({ action, actor_id, reason }) => [action, actor_id, reason]);
  }
}
