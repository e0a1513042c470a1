import { Injectable } from '@nestjs/common';
import { Caller, currentRequest, isSystemActor } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { MaybePromise } from '../../platform/maybe-promise';
import { PermissionsService } from '../permissions.service';
import { OrganizationRepository } from './organization.repository';

/**
 * Decides whether a request reaches groups and roles: those of the organisation that it names, or without one those of the
 * service. The access guard has checked the permission there. All others need the permission everywhere.
 */
@Injectable()
export class OrganizationReachService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly permissions: PermissionsService,
  ) {}

  /** @param organizationId null: what belongs to the service */
  reaches(caller: Pick<Caller, 'userId'>, permission: string, organizationId: string | null): MaybePromise<boolean> {
    if (isSystemActor(caller)) return true;
    const request = currentRequest();
    if (request && organizationId === (request.organizationId ?? null)) return true;
    return this.permissions.isGranted(caller.userId, permission);
  }

  /**
   * For all that belongs to an organisation, or with null to the service. Throws `not_found` for an unknown organisation and
   * for one out of reach, or `permission_denied` for the service.
   */
  async requireAll(caller: Pick<Caller, 'userId'>, permission: string, organizationId: string | null): Promise<void> {
    const isReached = await this.reaches(caller, permission, organizationId);
    if (organizationId === null) {
      if (!isReached) throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
    } else if (!isReached || !(await this.organizations.findById(organizationId))) throw platformErrors.notFound();
  }
}
