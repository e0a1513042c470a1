import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import {
  namedParts,
  PermissionsService,
  PrivilegeEscalationGuardService,
  OrganizationMemberRepository,
  OrganizationMembershipsService,
  Organization,
  OrganizationRepository,
  auditedOrganization,
  organizationTarget,
  PendingMemberRepository,
  membershipActs,
} from '../rbac';
import { OrganizationSlugsService } from './organization-slugs.service';
import { organizationActs } from './organization.acts';

/** An organization of another system, as it is created here. */
export type NewOrganization = Pick<Organization, 'id' | 'slug' | 'name'>;

/** A user who becomes a member of an imported organization, without roles there. */
export interface ImportedOrganizationMember {
  readonly userId: string;
  readonly organization: Pick<Organization, 'id' | 'name'>;
}

/** Stores and audits imported organizations and their members. Call it in the transaction of the import. */
@Injectable()
export class ImportedOrganizationsService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly members: OrganizationMemberRepository,
    private readonly memberships: OrganizationMembershipsService,
    private readonly pending: PendingMemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
    private readonly slugs: OrganizationSlugsService,
  ) {}

  /** Until the transaction ends, only it takes slugs and adds members. */
  lock(): Promise<void> {
    return this.escalationGuard.lock();
  }

  takenSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.slugs.takenAmong(slugs);
  }

  /** The pairs of which the organization has removed the user. */
  async removedAmong(wanted: readonly ImportedOrganizationMember[]): Promise<ReadonlySet<ImportedOrganizationMember>> {
    const removals = new Set(await this.members.removalsAmong(...columnsOf(wanted)));
    return new Set(wanted.filter((_, place) => removals.has(place)));
  }

  async create(organizations: readonly NewOrganization[]): Promise<void> {
    const contents = organizations.map((organization) => ({
      ...organization,
      logo: '',
      attributes: {},
      mfaRequired: false,
    }));
    await this.organizations.insertAll(contents);
    await this.audit.recordAll(
      contents.map((content) =>
        organizationActs.create({
          target: organizationTarget(content),
          after: auditedOrganization(content),
          reason: 'import',
        }),
      ),
    );
  }

  async join(joining: readonly ImportedOrganizationMember[]): Promise<void> {
    const pending = await this.pending.placesAmong(...columnsOf(joining));
    for (const { userId, organization } of joining.filter((_, place) => pending.has(place))) {
      await this.memberships.admit(organization.id, userId, [], { reason: 'import' });
    }
    const others = joining.filter((_, place) => !pending.has(place));
    const added = new Set(await this.members.joinAll(...columnsOf(others)));
    await this.audit.recordAll(joinedEvents(others.filter((_, place) => added.has(place))));
    await this.permissions.invalidate([...new Set(others.map(({ userId }) => userId))]);
  }
}

const columnsOf = (members: readonly ImportedOrganizationMember[]): [string[], string[]] => [
  members.map(({ userId }) => userId),
  members.map(({ organization }) => organization.id),
];

function joinedEvents(joined: readonly ImportedOrganizationMember[]): AuditEntry[] {
  const users = new Map<string, { organization: Pick<Organization, 'id' | 'name'>; ids: string[] }>();
  for (const { userId, organization } of joined) {
    const known = users.get(organization.id);
    if (known) known.ids.push(userId);
    else users.set(organization.id, { organization, ids: [userId] });
  }
  return [...users.values()].flatMap(({ organization, ids }) =>
    namedParts(ids).map((part) =>
      membershipActs.add({
        target: organizationTarget(organization),
        after: { added: ids.length, added_ids: part, role_ids: [] },
        reason: 'import',
      }),
    ),
  );
}
