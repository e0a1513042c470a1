import { Injectable } from '@nestjs/common';
import { Caller, isOAuthClient, OAuthClientPrincipal } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { UserRepository } from '../users';
import { CatalogueCache } from './catalogue.cache';
import { CheckPermissionsDto, VerifyQueryDto } from './dto/permission-check.dto';
import { CheckedPermission, GrantSources, SourcedGrant } from './effective-grants';
import { GrantRepository } from './grant.repository';
import { OrganizationGrantRepository, OrganizationUser, pairKey } from './organizations/organization-grant.repository';
import { GrantSet, PermissionCheck, permissionIdOf, RankSource } from './permission';
import { PermissionInputsService } from './permission-inputs.service';
import { PermissionsService } from './permissions.service';
import { cataloguePermissions } from './rbac.permissions';

/** One check of one user. */
export interface UserCheck {
  readonly userId: string;
  readonly check: PermissionCheck;
  /** Counts what the user holds in this organisation, too. Of an unknown one, users hold nothing. */
  readonly organizationId?: string | undefined;
}

const isWithinOrganization = (asked: UserCheck): asked is UserCheck & OrganizationUser =>
  asked.organizationId !== undefined;

interface GrantHolder {
  readonly held: GrantSet;
  readonly sources: GrantSources;
}

const holderOf = (grants: readonly SourcedGrant[]): GrantHolder => ({
  held: new GrantSet(grants),
  sources: new GrantSources(grants),
});

const WITHOUT_GRANTS = holderOf([]);

/** Names who is checked: a user, in an organisation if the check has one. */
const holderKey = ({ userId, organizationId }: UserCheck): string =>
  organizationId === undefined ? userId : pairKey({ userId, organizationId });

function explained(
  { check, organizationId }: UserCheck,
  { held, sources }: GrantHolder,
  ranks: RankSource,
): CheckedPermission {
  const grant = held.findCovering(check, ranks);
  const [source] = grant ? sources.of(grant) : [];
  const because = grant && source ? { source, grant } : null;
  const closest = held.closest(check, ranks) ?? null;
  return {
    check,
    ...(organizationId !== undefined && { organizationId }),
    allowed: grant !== undefined,
    because,
    closest,
  };
}

/** Evaluates and explains permission checks. */
@Injectable()
export class PermissionChecksService {
  constructor(
    private readonly users: UserRepository,
    private readonly grants: GrantRepository,
    private readonly catalogue: CatalogueCache,
    private readonly permissions: PermissionsService,
    private readonly inputs: PermissionInputsService,
    private readonly organizationGrants: OrganizationGrantRepository,
  ) {}

  /** Reads the database, not the cache. Throws `validation_failed`, `permission_denied` or `not_found`. */
  async explain(caller: Caller | OAuthClientPrincipal, body: CheckPermissionsDto): Promise<CheckedPermission[]> {
    const userId = body.user_id ?? ownId(caller);
    const checks = this.inputs.checks('checks', body.checks);
    await this.requireReaderOf(caller, [userId]);
    if (!(await this.users.findById(userId))) throw platformErrors.notFound();
    return this.evaluate(
      checks.map((check, index) => ({ userId, check, organizationId: body.checks[index]?.organization_id })),
    );
  }

  /**
   * Evaluates checks of several users by one batched query, and a second one for what they hold in organisations. Unknown
   * users hold nothing. The status of a user does not count.
   */
  async evaluate(asked: readonly UserCheck[]): Promise<CheckedPermission[]> {
    const ranks = await this.catalogue.ranksFor(...asked.map(({ check }) => check));
    const holders = await this.holdersOf(asked);
    return asked.map((one) => explained(one, holders.get(holderKey(one)) ?? WITHOUT_GRANTS, ranks));
  }

  private async holdersOf(asked: readonly UserCheck[]): Promise<Map<string, GrantHolder>> {
    const pairs = new Map(asked.filter(isWithinOrganization).map((one) => [pairKey(one), one]));
    const [everywhere, within] = await Promise.all([
      this.grants.withSourcesByUser([...new Set(asked.map(({ userId }) => userId))]),
      this.organizationGrants.withSources([...pairs.values()]),
    ]);
    const holders = new Map<string, GrantHolder>();
    for (const one of asked) {
      const key = holderKey(one);
      if (holders.has(key)) continue;
      const grants = [...(everywhere.get(one.userId) ?? []), ...(within.get(key) ?? [])];
      if (grants.length > 0) holders.set(key, holderOf(grants));
    }
    return holders;
  }

  /**
   * Requires `permission:read` of a user who asks about anyone else. The guard has already checked that of an OAuth
   * client. Throws `permission_denied`.
   */
  async requireReaderOf(caller: Caller | OAuthClientPrincipal, subjects: readonly string[]): Promise<void> {
    if (isOAuthClient(caller) || subjects.every((subject) => subject === caller.userId)) return;
    await this.requireReader(caller);
  }

  /** Throws `validation_failed` or `permission_denied`. */
  async require(caller: Caller, { permission, scope, level }: VerifyQueryDto): Promise<void> {
    const check = this.inputs.optionalCheck({ permission, scope, level });
    if (!check || (await this.permissions.allows(caller.userId, check))) return;
    throw denied(check);
  }

  private async requireReader({ userId }: Caller): Promise<void> {
    const { read } = cataloguePermissions;
    if (await this.permissions.isGranted(userId, read)) return;
    throw platformErrors.permissionDenied({ params: this.permissions.describe(read) });
  }
}

/** An OAuth client has no account, so it must name a user. The guard has already checked its `permission:read`. */
function ownId(caller: Caller | OAuthClientPrincipal): string {
  if (!isOAuthClient(caller)) return caller.userId;
  throw platformErrors.validationFailed({ fields: [{ field: 'user_id', code: 'required' }] });
}

function denied(check: PermissionCheck): Error {
  return platformErrors.permissionDenied({ params: { permission: permissionIdOf(check), scope: check.scope } });
}
