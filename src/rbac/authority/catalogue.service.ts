import { Injectable } from '@nestjs/common';
import { AuditService, AuditTarget } from '../../audit';
import { declaredPermissions } from '../../platform/access';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { Language, TranslatorService } from '../../platform/i18n';
import { compareCodeUnits } from '../../platform/util';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { CatalogueCache } from '../permission/catalogue.cache';
import { CatalogueEntry } from '../permission/catalogue.entity';
import { CatalogueRepository } from '../permission/catalogue.repository';
import { CreateCatalogueEntryDto } from './dto/catalogue.dto';
import {
  everythingIn,
  grantFrom,
  hasStandardRank,
  MAX_LEVEL,
  parsePermissionCode,
  PermissionCode,
  permissionIdOf,
  PermissionLevel,
  rankOf,
  WILDCARD,
} from '../permission';
import { PermissionInputsService } from '../permission/permission-inputs.service';
import { rbacErrors } from '../grants/rbac.errors';
import { permissionActs, PermissionState } from '../grants/role.acts';

export interface CataloguePermission {
  readonly scope: string;
  readonly permissionId: string;
  readonly requiredLevel: PermissionLevel;
  readonly description: string;
  readonly isBuiltin: boolean;
}

const textKey = (permissionId: string): string => permissionId.replace(':', '.');

/** Lists the permissions that exist: those that modules declare and those that operators add for other services. */
@Injectable()
export class CatalogueService {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly entries: CatalogueRepository,
    private readonly state: CatalogueCache,
    private readonly inputs: PermissionInputsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly translator: TranslatorService,
    private readonly audit: AuditService,
  ) {}

  /** Sorted by scope, then permission. Permissions of modules are described in the language. */
  async list(language: Language): Promise<CataloguePermission[]> {
    const added = (await this.entries.findAll()).map(addedPermission);
    return [...this.builtin(language), ...added].sort(
      (one, other) =>
        compareCodeUnits(one.scope, other.scope) || compareCodeUnits(one.permissionId, other.permissionId),
    );
  }

  /** Whether the scope has permissions here. */
  async isService(scope: string): Promise<boolean> {
    return scope === this.environment.serviceScope || (await this.state.hasScope(scope));
  }

  /** Throws `validation_failed`, `escalation_denied` or `name_taken`. */
  add(caller: Caller, body: CreateCatalogueEntryDto): Promise<CataloguePermission> {
    const entry = this.read(body);
    return this.transactions.run(async () => {
      await this.escalationGuard.requireCover(caller, [everythingIn(entry.scope)], targetOf(entry));
      if (await this.entries.find(entry.scope, entry.permissionId)) throw rbacErrors.nameTaken();
      await this.entries.insert(entry);
      await this.audit.record(permissionActs.create, { target: targetOf(entry), after: auditedEntry(entry) });
      await this.state.invalidate();
      return addedPermission(entry);
    });
  }

  /** Throws `not_found`, `escalation_denied`, or `in_use` when a module declares the permission. */
  async remove(caller: Caller, scope: string, permissionId: string): Promise<void> {
    // The path may hold a value that fits no column.
    if (!grantFrom(scope, permissionId)) throw platformErrors.notFound();
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const isBuiltin = scope === this.environment.serviceScope && declaredPermissions().includes(permissionId);
      const entry = await this.entries.find(scope, permissionId);
      if (!isBuiltin && !entry) throw platformErrors.notFound();
      await this.escalationGuard.requireCover(caller, [everythingIn(scope)], targetOf({ scope, permissionId }));
      if (!entry) throw rbacErrors.inUse();
      await this.entries.delete(scope, permissionId);
      await this.audit.record(permissionActs.delete, { target: targetOf(entry), before: auditedEntry(entry) });
      await this.state.invalidate();
    });
  }

  private builtin(language: Language): CataloguePermission[] {
    const { serviceScope: scope } = this.environment;
    return declaredPermissions().map((permissionId) => {
      const code = parsePermissionCode(permissionId, scope);
      const requiredLevel = code ? rankOf(code) : MAX_LEVEL;
      const description = this.translator.text(language, 'permissions', textKey(permissionId));
      return { scope, permissionId, requiredLevel, description, isBuiltin: true };
    });
  }

  private read({
    scope,
    permission_id,
    required_level,
    description,
  }: CreateCatalogueEntryDto): Omit<CatalogueEntry, 'createdAt'> {
    const code = this.inputs.check({ scope, permission_id });
    const problem = this.problemOf(code, required_level);
    if (problem) throw platformErrors.validationFailed({ fields: [problem] });
    return {
      scope: code.scope,
      permissionId: permissionIdOf(code),
      requiredLevel: required_level ?? null,
      description: description ?? '',
    };
  }

  private problemOf(code: PermissionCode, level: number | undefined): { field: string; code: string } | undefined {
    if (code.scope === WILDCARD || code.scope === this.environment.serviceScope) {
      return { field: 'scope', code: 'other_scope' };
    }
    if (code.resource === WILDCARD || code.action === WILDCARD) {
      return { field: 'permission_id', code: 'one_permission' };
    }
    if (level !== undefined && hasStandardRank(code.action)) return { field: 'required_level', code: 'standard_rank' };
    return undefined;
  }
}

function addedPermission(entry: Omit<CatalogueEntry, 'createdAt'>): CataloguePermission {
  const { scope, permissionId, requiredLevel, description } = entry;
  const code = parsePermissionCode(permissionId, scope);
  return {
    scope,
    permissionId,
    requiredLevel: requiredLevel ?? (code ? rankOf(code) : MAX_LEVEL),
    description,
    isBuiltin: false,
  };
}

/** The entry as the audit log shows it. */
export function auditedEntry({
  scope,
  permissionId,
  requiredLevel,
  description,
}: Omit<CatalogueEntry, 'createdAt'>): PermissionState {
  return { scope, permission_id: permissionId, required_level: requiredLevel, description };
}

export function targetOf({ scope, permissionId }: Pick<CatalogueEntry, 'scope' | 'permissionId'>): AuditTarget {
  return { type: 'permission', id: `${scope}:${permissionId}` };
}
