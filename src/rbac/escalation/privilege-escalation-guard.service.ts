import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService, AuditTarget } from '../../audit';
import { accessErrors } from '../../platform/access';
import { Caller, isSystemActor } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { GrantRepository } from '../grants/grant.repository';
import { missingWithin } from './missing-within';
import { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { everythingIn, Grant, GrantSet, WILDCARD } from '../permission';
import type { Role } from '../grants/role.entity';
import { auditedGrants, targetOf } from '../grants/role.views';
import { permissionActs } from '../grants/role.acts';

/** The caller, or the user that a change is recorded under. */
export interface Actor extends Pick<Caller, 'userId'> {
  /** The change concerns what holds in this organization only, so what the actor holds there counts, too. */
  readonly organizationId?: string;
}

/**
 * The actor of a change of what holds in the organization only; null: everywhere, so that nothing counts that the actor holds
 * in one. Actors of the system hold everything, and are known by their identity: a copy of one holds nothing.
 */
export function actorWithin(actor: Actor, organizationId: string | null): Actor {
  if (isSystemActor(actor)) return actor;
  return { userId: actor.userId, ...(organizationId !== null && { organizationId }) };
}

export interface NeededForRole {
  readonly role: Pick<Role, 'id' | 'name'>;
  readonly needed: readonly Grant[];
}

/** A role that needs more than the actor holds. */
export interface RoleBeyond extends Pick<NeededForRole, 'role'> {
  readonly missing: readonly Grant[];
}

/** Limits the missing grants in an audit event. Enough to show the attempt. */
const MAX_AUDITED = 50;

/**
 * Prevents privilege escalation: actors cannot grant, revoke or act on more than they hold themselves.
 * Call every method in the transaction of the change, before its first write. The lock serializes grant changes, so
 * that checks still hold at write time. Of two users who revoke each other's grants at once, only the first succeeds.
 * A denial is audited as `permission.escalate` even though the transaction rolls back. Throws `escalation_denied`.
 */
@Injectable()
export class PrivilegeEscalationGuardService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantRepository,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly audit: AuditService,
  ) {}

  /** Requires that the actor may grant and revoke every one of the grants. */
  async requireCover(actor: Actor, grants: Iterable<Grant>, target?: AuditTarget): Promise<void> {
    if (!(await this.covers(actor, grants, target))) throw accessErrors.escalationDenied();
  }

  /** Same as `requireCover`, but returns the result, for callers with their own error. */
  async covers(actor: Actor, grants: Iterable<Grant>, target?: AuditTarget): Promise<boolean> {
    return this.isNone((await this.grantsOf(actor)).missing(grants), target);
  }

  /** Same as `covers`, for a condition whose failure is no attempt: it is not audited. */
  async holds(actor: Actor, grants: Iterable<Grant>): Promise<boolean> {
    return (await this.grantsOf(actor)).missing(grants).length === 0;
  }

  /**
   * Requires that the actor holds the grants of each organization, by its id. What the actor holds everywhere counts, and
   * in an organization what the actor holds there.
   */
  async requireCoverWithin(
    actor: Actor,
    grants: ReadonlyMap<string, readonly Grant[]>,
    target?: AuditTarget,
  ): Promise<void> {
    const everywhere = await this.grantsEverywhereOf(actor);
    const beyond = new Map([...grants].filter(([, held]) => everywhere.missing(held).length > 0));
    if (beyond.size === 0) return;
    const within = await this.organizationGrants.byOrganization([actor.userId]);
    if (!this.isNone(missingWithin(beyond, everywhere, within), target)) throw accessErrors.escalationDenied();
  }

  /** The roles for which the actor lacks something, for a change that is made without them. Audits nothing. */
  async beyond(actor: Actor, roles: readonly NeededForRole[]): Promise<readonly RoleBeyond[]> {
    const held = await this.grantsOf(actor);
    return roles.flatMap(({ role, needed }) => {
      const missing = held.missing(needed);
      return missing.length === 0 ? [] : { role, missing };
    });
  }

  /** Audits each as an attempt, in the transaction of the change that is made without them, and also if it rolls back. */
  async recordBeyond(beyond: readonly RoleBeyond[]): Promise<void> {
    if (beyond.length === 0) return;
    const attempts = beyond.map(({ role, missing }) => attempt(missing, targetOf(role)));
    const record = (): Promise<void> =>
      this.audit.recordAll(attempts.map((entry) => ({ ...entry, outcome: 'failure' })));
    this.transactions.afterRollback(() => this.transactions.run(record));
    await record();
  }

  /** Only a holder of every permission may act on another holder of every permission. Other users pass. */
  async requireEqualOfHolderOfAll(actor: Actor, userId: string): Promise<void> {
    await this.lock();
    const everything = [everythingIn(WILDCARD)];
    if (new GrantSet(await this.grants.ofUser(userId)).missing(everything).length > 0) return;
    await this.requireCover(actor, everything, { type: 'user', id: userId });
  }

  /**
   * Same as `requireEqualOfHolderOfAll`, for a change of many users. A grant of every permission covers alone, so the
   * grants of all users together have one exactly if a user has.
   */
  async requireEqualOfHoldersOfAll(actor: Actor, userIds: readonly string[]): Promise<void> {
    await this.lock();
    const everything = [everythingIn(WILDCARD)];
    if (new GrantSet(await this.grants.ofUsers(userIds)).missing(everything).length > 0) return;
    const grants = await this.grants.withSourcesByUser(userIds);
    const id = userIds.find((one) => new GrantSet(grants.get(one) ?? []).missing(everything).length === 0);
    await this.requireCover(actor, everything, id === undefined ? undefined : { type: 'user', id });
  }

  /** Serializes grant changes until the transaction ends, so that grants read from here on stay valid. */
  async lock(): Promise<void> {
    if (!this.transactions.isOpen) throw new Error('Authority must be checked in a transaction');
    await this.grants.lock();
  }

  private isNone(missing: readonly Grant[], target?: AuditTarget): boolean {
    if (missing.length === 0) return true;
    this.transactions.afterRollback(() => this.audit.recordFailure(attempt(missing, target)));
    return false;
  }

  private async grantsOf(actor: Actor): Promise<GrantSet> {
    const everywhere = await this.grantsEverywhereOf(actor);
    const { userId, organizationId } = actor;
    if (organizationId === undefined) return everywhere;
    const { grants } = await this.organizationGrants.ofMember({ userId, organizationId });
    return new GrantSet([...everywhere.toList(), ...grants]);
  }

  private async grantsEverywhereOf(actor: Actor): Promise<GrantSet> {
    await this.lock();
    if (isSystemActor(actor)) return new GrantSet([everythingIn(WILDCARD)]);
    return new GrantSet(await this.grants.ofUser(actor.userId));
  }
}

const attempt = (missing: readonly Grant[], target?: AuditTarget): AuditEntry =>
  permissionActs.escalate({
    after: { lacking: auditedGrants(missing.slice(0, MAX_AUDITED)), lacking_count: missing.length },
    ...(target && { target }),
  });
