import { Injectable } from '@nestjs/common';
import { ClientCache, ResourcesService, serviceOf } from '../../oauth';
import { remoteGuardErrors } from './remote-guard.errors';

/** A service whose guard asks here. */
export interface GuardedService {
  /** The scope of its permissions. */
  readonly scope: string;
  /** The user who made the client the resource server of the scope, and holds every permission in it. */
  readonly setterId: string;
}

/** Finds the service that an OAuth client guards: the one whose tokens it may introspect. */
@Injectable()
export class GuardedServicesService {
  constructor(
    private readonly clients: ClientCache,
    private readonly resources: ResourcesService,
  ) {}

  /** Errors: `guard_scope_required` unless the client may introspect the tokens of exactly one service now. */
  async require(clientId: string): Promise<GuardedService> {
    const found = await this.find(clientId);
    if (!found) throw remoteGuardErrors.guardScopeRequired();
    return found;
  }

  async find(clientId: string): Promise<GuardedService | undefined> {
    const [resource, ...others] = await this.resources.introspectedBy(clientId);
    const scope = resource === undefined || others.length > 0 ? undefined : serviceOf(resource);
    const setterId = (await this.clients.get(clientId))?.introspectionSetBy;
    return scope === undefined || setterId == null ? undefined : { scope, setterId };
  }
}
