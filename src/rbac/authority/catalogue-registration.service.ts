import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { declaredPermissions } from '../../platform/access';
import { Environment } from '../../platform/config';
import { Transactions } from '../../platform/database';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { CatalogueCache } from '../permission/catalogue.cache';
import { CatalogueEntry } from '../permission/catalogue.entity';
import { CatalogueRepository } from '../permission/catalogue.repository';
import { auditedEntry, targetOf } from './catalogue.service';
import { MAX_REGISTERED, RegisteredPermissionDto } from './dto/catalogue-registration.dto';
import { everythingIn, hasStandardRank, parsePermissionCode, permissionIdOf, WILDCARD } from '../permission';
import { Actor, PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { permissionActs } from '../grants/role.acts';

type NewEntry = Omit<CatalogueEntry, 'createdAt'>;
type Read = { readonly entry: RequestedEntry } | { readonly problem: FieldProblem };

/** Undefined members keep what is stored. */
interface RequestedEntry {
  readonly permissionId: string;
  readonly description: string | undefined;
  readonly requiredLevel: CatalogueEntry['requiredLevel'] | undefined;
}

export interface RegisteredCatalogue {
  readonly added: readonly string[];
  readonly updated: readonly string[];
}

/** Registers the permissions of another service, which does so each time it starts. */
@Injectable()
export class CatalogueRegistrationService {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly entries: CatalogueRepository,
    private readonly state: CatalogueCache,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds missing permissions and updates descriptions and levels. Never removes one: during an update, an older version
   * of the service may still run. Returns the permissions that changed.
   * @param actor must hold every permission in the scope
   * Errors: `validation_failed`, `escalation_denied`.
   */
  register(actor: Actor, scope: string, permissions: readonly RegisteredPermissionDto[]): Promise<RegisteredCatalogue> {
    const requested = this.read(scope, permissions);
    return this.transactions.run(async () => {
      await this.escalationGuard.requireCover(actor, [everythingIn(scope)], { type: 'permission', id: scope });
      const stored = new Map((await this.entries.findOfScope(scope)).map((entry) => [entry.permissionId, entry]));
      const changes = requested.flatMap((entry) => changeOf(scope, entry, stored.get(entry.permissionId)));
      const added = changes.filter(({ before }) => !before);
      if (stored.size + added.length > MAX_REGISTERED) throw tooMany();
      if (changes.length > 0) await this.store(changes);
      const idsOf = (some: readonly Change[]): string[] => some.map(({ after }) => after.permissionId);
      return { added: idsOf(added), updated: idsOf(changes.filter(({ before }) => before)) };
    });
  }

  private async store(changes: readonly Change[]): Promise<void> {
    await this.entries.upsert(changes.map(({ after }) => after));
    await this.audit.recordAll(changes.map(auditEntry));
    await this.state.invalidate();
  }

  private read(scope: string, permissions: readonly RegisteredPermissionDto[]): RequestedEntry[] {
    const read = permissions.map((permission, index) => this.readOne(scope, permission, `permissions[${index}]`));
    const fields = read.flatMap((one) => ('problem' in one ? one.problem : []));
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    const entries = read.flatMap((one) => ('entry' in one ? one.entry : []));
    // This service's own permissions are declared by its modules: another service may only name them.
    return scope === this.environment.serviceScope ? [] : [...byId(entries).values()];
  }

  private readOne(scope: string, permission: RegisteredPermissionDto, path: string): Read {
    const { permission_id, required_level: requiredLevel, description } = permission;
    const code = parsePermissionCode(permission_id, scope);
    if (!code) return { problem: { field: `${path}.permission_id`, code: 'permission' } };
    if (code.scope !== scope) return { problem: { field: `${path}.permission_id`, code: 'scope_disagrees' } };
    if (code.resource === WILDCARD || code.action === WILDCARD) {
      return { problem: { field: `${path}.permission_id`, code: 'one_permission' } };
    }
    if (requiredLevel !== undefined && hasStandardRank(code.action)) {
      return { problem: { field: `${path}.required_level`, code: 'standard_rank' } };
    }
    const permissionId = permissionIdOf(code);
    if (scope === this.environment.serviceScope && !declaredPermissions().includes(permissionId)) {
      return { problem: { field: `${path}.permission_id`, code: 'other_scope' } };
    }
    return { entry: { permissionId, description, requiredLevel } };
  }
}

interface Change {
  readonly before: CatalogueEntry | undefined;
  readonly after: NewEntry;
}

const byId = (entries: readonly RequestedEntry[]): Map<string, RequestedEntry> =>
  new Map(entries.map((entry) => [entry.permissionId, entry]));

const tooMany = (): Error =>
  platformErrors.validationFailed({
    fields: [{ field: 'permissions', code: 'max_items', params: { max: MAX_REGISTERED } }],
  });

function changeOf(scope: string, requested: RequestedEntry, before: CatalogueEntry | undefined): Change[] {
  const after: NewEntry = {
    scope,
    permissionId: requested.permissionId,
    description: requested.description ?? before?.description ?? '',
    requiredLevel: requested.requiredLevel ?? before?.requiredLevel ?? null,
  };
  const isSame = before?.description === after.description && before.requiredLevel === after.requiredLevel;
  return isSame ? [] : [{ before, after }];
}

function auditEntry({ before, after }: Change): AuditEntry {
  return before
    ? permissionActs.update({ target: targetOf(after), before: auditedEntry(before), after: auditedEntry(after) })
    : permissionActs.create({ target: targetOf(after), after: auditedEntry(after) });
}
