import { Injectable } from '@nestjs/common';
import { Caller, currentRequest, isSystemActor } from '../context';
import { MaybePromise } from '../util';
import { PermissionChecker } from './access.ports';

/** Decides what a request reaches of what belongs to organizations or to the service. */
@Injectable()
export class OrganizationReachService {
  constructor(private readonly permissions: PermissionChecker) {}

  /**
   * Whether the caller holds the permission everywhere, or in the organization if the request names it.
   * @param organizationId null: for what belongs to the service, so the permission must be held everywhere
   */
  reaches(caller: Pick<Caller, 'userId'>, permission: string, organizationId: string | null): MaybePromise<boolean> {
    if (isSystemActor(caller)) return true;
    const isNamed = organizationId !== null && currentRequest()?.organizationId === organizationId;
    return this.permissions.isGranted(caller.userId, permission, isNamed ? organizationId : undefined);
  }
}
