import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Environment } from '../platform/config';
import { userTarget } from '../users';
import { MemberRepository } from './member.repository';
import { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';

type NamedRole = Pick<Role, 'id' | 'scope' | 'name'>;

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
  readonly why: 'unknown_role' | 'escalation_denied';
}

/** By user id. Users who get all of their roles are left out. */
export type RolesLeftOut = ReadonlyMap<string, readonly RoleLeftOut[]>;

interface Evaluated {
  readonly named: ReadonlyMap<string, NamedRole>;
  readonly beyond: ReadonlySet<string>;
}

/**
 * Gives new users roles that are named in a text. Call in the transaction that creates the users. Roles that do not
 * exist, and those that grant more than the actor holds, are left out and returned.
 */
@Injectable()
export class NamedRolesService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly audit: AuditService,
  ) {}

  /** @param held the role that all of the users have already */
  async give(actor: Actor, wanted: readonly RolesWanted[], held: NamedRole): Promise<RolesLeftOut> {
    const evaluated = await this.evaluate(actor, wanted);
    const given = wanted.flatMap(({ user, roles }) => {
      const found = givable(roles, evaluated).filter(({ id }) => id !== held.id);
      return found.length === 0 ? [] : { user, roles: found };
    });
    const pairs = given.flatMap(({ user, roles }) => roles.map((role) => ({ userId: user.id, roleId: role.id })));
    await this.members.joinAll(
      pairs.map(({ userId }) => userId),
      pairs.map(({ roleId }) => roleId),
    );
    await this.audit.recordAll(
      given.map(({ user, roles }) => ({
        action: 'user.add_roles',
        target: userTarget(user),
        before: { roles: [audited(held)] },
        after: { roles: [held, ...roles].map(audited) },
      })),
    );
    return leftOutAmong(wanted, evaluated);
  }

  /** What `give` would return. Gives nothing. */
  async rehearse(actor: Actor, wanted: readonly RolesWanted[]): Promise<RolesLeftOut> {
    return leftOutAmong(wanted, await this.evaluate(actor, wanted));
  }

  private async evaluate(actor: Actor, wanted: readonly RolesWanted[]): Promise<Evaluated> {
    const texts = [...new Set(wanted.flatMap(({ roles }) => roles))];
    if (texts.length === 0) return { named: new Map(), beyond: new Set() };
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
    return { named, beyond: await this.escalationGuard.beyond(actor, found) };
  }

  private read(text: string): { scope: string; name: string } {
    const colon = text.indexOf(':');
    return colon < 0
      ? { scope: this.environment.serviceScope, name: text }
      : { scope: text.slice(0, colon), name: text.slice(colon + 1) };
  }
}

/** Each once, however often the texts name it. */
function givable(texts: readonly string[], { named, beyond }: Evaluated): NamedRole[] {
  const roles = texts.flatMap((text) => named.get(text) ?? []).filter(({ id }) => !beyond.has(id));
  return [...new Map(roles.map((role) => [role.id, role])).values()];
}

function leftOutAmong(wanted: readonly RolesWanted[], evaluated: Evaluated): RolesLeftOut {
  return new Map(
    wanted.flatMap(({ user, roles }) => {
      const leftOut = roles.flatMap((role) => reasonOf(role, evaluated) ?? []);
      return leftOut.length === 0 ? [] : [[user.id, leftOut] as const];
    }),
  );
}

function reasonOf(text: string, { named, beyond }: Evaluated): RoleLeftOut | undefined {
  const role = named.get(text);
  if (!role) return { role: text, why: 'unknown_role' };
  return beyond.has(role.id) ? { role: text, why: 'escalation_denied' } : undefined;
}

const audited = ({ id, scope, name }: NamedRole): NamedRole => ({ id, scope, name });
