import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { newId } from '../../platform/crypto';
import { PermissionsService } from '../grants/permissions.service';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { additionEntries } from '../grants/group-member-entries';
import { GroupMemberRepository } from '../grants/group-member.repository';
import { GroupRepository } from '../grants/group.repository';
import { auditedGroup, groupTarget } from '../grants/group.views';
import { ImportedGroupPlan, isGroupPath, PlannedGroup } from '../grants/imported-group-plan';
import { groupActs } from '../grants/group.acts';

export interface ImportedGroupMembership {
  readonly userId: string;
  /** Names from the group at the top. */
  readonly path: readonly string[];
}

interface PlacedMembership {
  readonly userId: string;
  readonly group: PlannedGroup;
}

/** Groups imported from another system. They are created without roles, and an import joins none with roles. */
@Injectable()
export class ImportedGroupsService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly members: GroupMemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** One plan serves a whole dry run, which writes nothing that a later batch could find. */
  newPlan(): ImportedGroupPlan {
    return new ImportedGroupPlan(newId);
  }

  /**
   * Adds the users to the groups and creates missing groups. Call in a transaction. Returns the memberships left out, for
   * the reasons of `ImportedGroupPlan.place`.
   */
  async join(wanted: readonly ImportedGroupMembership[]): Promise<readonly ImportedGroupMembership[]> {
    await this.escalationGuard.lock();
    const plan = this.newPlan();
    const { placed, leftOut } = await this.place(plan, wanted);
    await this.make(plan.takeNew());
    await this.members.joinAll(
      placed.map(({ userId }) => userId),
      placed.map(({ group }) => group.id),
    );
    await this.audit.recordAll(joinedEvents(placed));
    await this.permissions.invalidate([...new Set(placed.map(({ userId }) => userId))]);
    return leftOut;
  }

  /** The memberships that `join` would leave out. Writes nothing. */
  async rehearse(
    plan: ImportedGroupPlan,
    wanted: readonly ImportedGroupMembership[],
  ): Promise<readonly ImportedGroupMembership[]> {
    return (await this.place(plan, wanted)).leftOut;
  }

  private async place(
    plan: ImportedGroupPlan,
    wanted: readonly ImportedGroupMembership[],
  ): Promise<{ placed: PlacedMembership[]; leftOut: ImportedGroupMembership[] }> {
    const names = wanted.flatMap(({ path }) => (isGroupPath(path) ? path : []));
    plan.learn(await this.groups.findNamed([...new Set(names)]));
    const placed: PlacedMembership[] = [];
    const leftOut: ImportedGroupMembership[] = [];
    for (const membership of wanted) {
      const group = plan.place(membership.path);
      if (group) placed.push({ userId: membership.userId, group });
      else leftOut.push(membership);
    }
    return { placed, leftOut };
  }

  private async make(groups: readonly PlannedGroup[]): Promise<void> {
    await this.groups.insertAll(groups);
    await this.audit.recordAll(
      groups.map(({ id, name, parentId }) =>
        groupActs.create({
          target: groupTarget({ id, name }),
          after: auditedGroup({ group: { name, description: '', parentId }, roleIds: [] }),
          reason: 'import',
        }),
      ),
    );
  }
}

function joinedEvents(placed: readonly PlacedMembership[]): AuditEntry[] {
  const users = new Map<string, { group: PlannedGroup; ids: string[] }>();
  for (const { userId, group } of placed) {
    const known = users.get(group.id);
    if (known) known.ids.push(userId);
    else users.set(group.id, { group, ids: [userId] });
  }
  return [...users.values()].flatMap(({ group, ids }) =>
    additionEntries(group, ids).map((entry) => ({ ...entry, reason: 'import' })),
  );
}
