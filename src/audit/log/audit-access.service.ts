import { Injectable } from '@nestjs/common';
import { OrganizationReachService, PermissionChecker } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { auditPermissions } from './audit.permissions';

/**
 * How much of an event is shown: within an organization not from where the actor acted, because that is about the person
 * and may be another organization's network.
 */
export type AuditView = 'whole' | 'within_organization';

/** Decides which part of the audit log a request reaches. */
@Injectable()
export class AuditAccessService {
  constructor(
    private readonly permissions: PermissionChecker,
    private readonly reach: OrganizationReachService,
  ) {}

  /**
   * For the events of the organization, or without one for all. Throws `permission_denied`, or `not_found` for an organization
   * out of reach.
   */
  async viewFor(caller: Caller, organizationId: string | undefined): Promise<AuditView> {
    if (await this.reach.reaches(caller, auditPermissions.read, null)) return 'whole';
    if (organizationId === undefined) {
      throw platformErrors.permissionDenied({ params: { ...this.permissions.describe(auditPermissions.read) } });
    }
    if (await this.reach.reaches(caller, auditPermissions.read, organizationId)) return 'within_organization';
    throw platformErrors.notFound();
  }
}
