import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { APPLICATION, Caller, currentRequest, leaveActing, runAs } from '../platform/context';
import { platformErrors } from '../platform/errors';

export interface ActOptions {
  /**
   * The caller of the request that is being served. The act then needs the permissions that the HTTP API asks for, and
   * the caller is its actor in the audit. Default: the application itself, which may do everything.
   */
  readonly by?: Caller;
}

/** Runs acts of the host's code as the caller or as the application. */
@Injectable()
export class HostActsService {
  constructor(private readonly permissions: PermissionChecker) {}

  /**
   * @param needed the permissions that the route of this act requires
   * Throws `permission_denied`, or a `TypeError` for a caller of another request.
   */
  async run<T>({ by }: ActOptions, needed: readonly string[], act: (actor: Caller) => Promise<T>): Promise<T> {
    if (!by) return runAs(APPLICATION, () => act(APPLICATION));
    // The audit takes the actor from the request. Another caller here would be recorded under a wrong name.
    if (currentRequest()?.caller !== by) {
      throw new TypeError('`by` must be the caller of the request being served: pass what @CurrentCaller() injects');
    }
    await this.require(by, needed);
    return leaveActing(() => act(by));
  }

  private async require({ userId }: Caller, needed: readonly string[]): Promise<void> {
    for (const permission of needed) {
      if (await this.permissions.isGranted(userId, permission)) continue;
      throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
    }
  }
}
