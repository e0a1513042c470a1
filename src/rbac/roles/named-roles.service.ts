import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Environment } from '../../platform/config';
import { isSystemActor } from '../../platform/context';
import { userTarget } from '../../users';
import { MemberRepository } from '../grants/member.repository';
import { PermissionsService } from '../grants/permissions.service';
import { Actor, PrivilegeEscalationGuardService, RoleBeyond } from '../escalation/privilege-escalation-guard.service';
import { rolePermissions } from '../grants/rbac.permissions';
import { Role } from '../grants/role.entity';
import { RoleGivingService } from '../escalation/role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { roleActs } from '../grants/role.acts';

export type NamedRole = Pick<Role, 'id' | 'scope' | 'name'>;

/** A user who is being created, and the roles that are named for the user. */
export interface RolesWanted {
  readonly user: { readonly id: string; readonly username: string };
  /** `scope:name`, or the name alone for a role of the service's own scope. */
  readonly roles: readonly string[];
}

/** A role that a new user does not get. */
export interface RoleLeftOut {
  /** As it was named. */
  readonly role: string;
  /** `role_unavailable`: one of the first two. Only holders of `role:read` learn which. */
  readonly why: 'unknown_role' | 'escalation_denied' | 'role_unavailable' | 'account_exists';
}

/** What new users get and do not get of the roles that are named for them. By user id, without users of none. */
export interface NamedRolesResult {
  /** Without the role that they have already. */
  readonly given: ReadonlyMap<string, readonly NamedRole[]>;
  readonly leftOut: ReadonlyMap<string, readonly RoleLeftOut[]>;
}

interface Evaluated {
  readonly named: ReadonlyMap<string, NamedRole>;
  readonly beyond: readonly RoleBeyond[];
  /** Whether the actor may learn which roles exist. */
  readonly readsRoles: boolean;
}

/**
 * Gives new users roles that are named in a text. Call in the transaction that creates the users. Roles that do not
 * exist, and those that the actor may not give, are left out and returned.
 */
@Injectable()
export class NamedRolesService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly giving: RoleGivingService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /** @param held the role that all of the users have already */
  async give(actor: Actor, wanted: readonly RolesWanted[], held: NamedRole): Promise<NamedRolesResult> {
    const evaluated = await this.evaluate(actor, wanted);
    await this.escalationGuard.recordBeyond(evaluated.beyond);
    const result = resultOf(wanted, evaluated, held);
    const given = wanted.flatMap(({ user }) => {
      const roles = result.given.get(user.id);
      return roles ? { user, roles } : [];
    });
    const pairs = given.flatMap(({ user, roles }) => roles.map((role) => ({ userId: user.id, roleId: role.id })));
    await this.members.joinAll(
      pairs.map(({ userId }) => userId),
      pairs.map(({ roleId }) => roleId),
    );
    await this.audit.recordAll(
      given.map(({ user, roles }) =>
        roleActs.addToUser({
          target: userTarget(user),
          before: { roles: [audited(held)] },
          after: { roles: [held, ...roles].map(audited) },
        }),
      ),
    );
    return result;
  }

  /** What `give` would return. Writes nothing. */
  async rehearse(actor: Actor, wanted: readonly RolesWanted[], held: NamedRole): Promise<NamedRolesResult> {
    return resultOf(wanted, await this.evaluate(actor, wanted), held);
  }

  private async evaluate(actor: Actor, wanted: readonly RolesWanted[]): Promise<Evaluated> {
    const texts = [...new Set(wanted.flatMap(({ roles }) => roles))];
    if (texts.length === 0) return { named: new Map(), beyond: [], readsRoles: false };
    await this.escalationGuard.lock();
    const codes = texts.map((text) => this.read(text));
    const found = await this.roles.holdByNames(
      codes.map(({ scope }) => scope),
      codes.map(({ name }) => name),
    );
    const byCode = new Map(found.map((role) => [`${role.scope}:${role.name}`, role]));
    const named = new Map(
      texts.flatMap((text, index) => {
        const { scope, name } = codes[index] ?? this.read(text);
        const role = byCode.get(`${scope}:${name}`);
        return role ? [[text, role] as const] : [];
      }),
    );
    const readsRoles = isSystemActor(actor) || (await this.permissions.isGranted(actor.userId, rolePermissions.read));
    return { named, beyond: await this.giving.beyond(actor, found), readsRoles };
  }

  private read(text: string): { scope: string; name: string } {
    const colon = text.indexOf(':');
    return colon < 0
      ? { scope: this.environment.serviceScope, name: text }
      : { scope: text.slice(0, colon), name: text.slice(colon + 1) };
  }
}

function reasonOf({ readsRoles }: Evaluated, role: NamedRole | undefined): RoleLeftOut['why'] {
  if (!readsRoles) return 'role_unavailable';
  return role ? 'escalation_denied' : 'unknown_role';
}

function resultOf(wanted: readonly RolesWanted[], evaluated: Evaluated, held: NamedRole): NamedRolesResult {
  const { named } = evaluated;
  const beyond = new Set(evaluated.beyond.map(({ role }) => role.id));
  const given = new Map<string, readonly NamedRole[]>();
  const leftOut = new Map<string, readonly RoleLeftOut[]>();
  for (const { user, roles } of wanted) {
    const found = roles.map((text) => ({ text, role: named.get(text) }));
    const givable = found.flatMap(({ role }) => (role && !beyond.has(role.id) && role.id !== held.id ? role : []));
    // Two texts may name one role.
    if (givable.length > 0) given.set(user.id, [...new Map(givable.map((role) => [role.id, role])).values()]);
    const denied = found.filter(({ role }) => !role || beyond.has(role.id));
    const reasons = denied.map(({ text, role }) => ({ role: text, why: reasonOf(evaluated, role) }));
    if (reasons.length > 0) leftOut.set(user.id, reasons);
  }
  return { given, leftOut };
}

const audited = ({ id, scope, name }: NamedRole): NamedRole => ({ id, scope, name });
