import { Injectable } from '@nestjs/common';
import { Caller, currentRequest, isOAuthClient, OAuthClientPrincipal } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { UserRepository } from '../../users';
import { CatalogueCache } from '../permission/catalogue.cache';
import { CheckPermissionsDto, VerifyQueryDto } from '../permission/dto/permission-check.dto';
import { CheckedPermission } from '../permission/effective-grants';
import { PermissionCheck, permissionIdOf } from '../permission';
import { PermissionInputsService } from '../permission/permission-inputs.service';
import { PermissionsService } from '../grants/permissions.service';
import { cataloguePermissions } from '../grants/rbac.permissions';

/** One check of one user. */
export interface UserCheck {
  readonly userId: string;
  readonly check: PermissionCheck;
  /** Counts what the user holds in this organization, too. Of an unknown one, users hold nothing. */
  readonly organizationId?: string | undefined;
}

/** Evaluates and explains permission checks. */
@Injectable()
export class PermissionChecksService {
  constructor(
    private readonly users: UserRepository,
    private readonly catalogue: CatalogueCache,
    private readonly permissions: PermissionsService,
    private readonly inputs: PermissionInputsService,
  ) {}

  /** Throws `validation_failed`, `permission_denied` or `not_found`. */
  async explain(caller: Caller | OAuthClientPrincipal, body: CheckPermissionsDto): Promise<CheckedPermission[]> {
    const userId = body.user_id ?? ownId(caller);
    const checks = this.inputs.checks('checks', body.checks);
    await this.requireReaderOf(caller, [userId]);
    await this.requireUser(caller, userId);
    return this.evaluate(
      checks.map((check, index) => ({ userId, check, organizationId: body.checks[index]?.organization_id })),
    );
  }

  /** Evaluates checks of several users. Unknown users hold nothing, and disabled ones are allowed nothing. */
  async evaluate(asked: readonly UserCheck[]): Promise<CheckedPermission[]> {
    const ranks = await this.catalogue.ranksFor(...asked.map(({ check }) => check));
    return Promise.all(
      asked.map(async ({ userId, check, organizationId }) => ({
        check,
        ...(organizationId !== undefined && { organizationId }),
        ...((await this.permissions.isDisabled(userId))
          ? DISABLED
          : (await this.permissions.sourced(userId, organizationId)).explain(check, ranks)),
      })),
    );
  }

  /**
   * Requires `permission:read` of a user who asks about anyone else. The guard has already checked that of an OAuth
   * client. Throws `permission_denied`.
   */
  async requireReaderOf(caller: Caller | OAuthClientPrincipal, subjects: readonly string[]): Promise<void> {
    if (isOAuthClient(caller) || subjects.every((subject) => subject === caller.userId)) return;
    await this.requireReader(caller);
  }

  /** Within the organization that the request names. Throws `validation_failed` or `permission_denied`. */
  async require(caller: Caller, { permission, scope, level }: VerifyQueryDto): Promise<void> {
    const check = this.inputs.optionalCheck({ permission, scope, level });
    if (!check || (await this.permissions.allows(caller.userId, check, currentRequest()?.organizationId))) return;
    throw denied(check);
  }

  /** The own account of a user who is logged in exists. Throws `not_found`. */
  private async requireUser(caller: Caller | OAuthClientPrincipal, userId: string): Promise<void> {
    if (!isOAuthClient(caller) && caller.userId === userId) return;
    if (!(await this.users.findById(userId))) throw platformErrors.notFound();
  }

  private async requireReader({ userId }: Caller): Promise<void> {
    const { read } = cataloguePermissions;
    if (await this.permissions.isGranted(userId, read)) return;
    throw platformErrors.permissionDenied({ params: this.permissions.describe(read) });
  }
}

/** No grant would allow it. */
const DISABLED = { allowed: false, because: null, closest: null, reason: 'subject_disabled' } as const;

/** An OAuth client has no account, so it must name a user. The guard has already checked its `permission:read`. */
function ownId(caller: Caller | OAuthClientPrincipal): string {
  if (!isOAuthClient(caller)) return caller.userId;
  throw platformErrors.validationFailed({ fields: [{ field: 'user_id', code: 'required' }] });
}

function denied(check: PermissionCheck): Error {
  return platformErrors.permissionDenied({ params: { permission: permissionIdOf(check), scope: check.scope } });
}
