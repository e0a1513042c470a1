import { Injectable } from '@nestjs/common';
import { currentRequest } from '../../../platform/context';
import { RouteRegistry } from '../../../platform/http';

/** Where a login through a provider begins and where it comes back, behind whatever prefix a host gave its routes. */
@Injectable()
export class LoginAddressesService {
  constructor(private readonly paths: RouteRegistry) {}

  /** The path that begins a login. */
  start(name: string): string {
    return this.of('/api/oauth/login/:name', name);
  }

  /**
   * The address that an operator registers with the provider and that every login names; by default at the origin of
   * this request.
   */
  callback(name: string, origin = currentRequest()?.origin.origin ?? ''): string {
    return origin + this.of('/api/oauth/callback/:name', name);
  }

  private of(route: string, name: string): string {
    return this.paths.addressOf(route).replace(':name', encodeURIComponent(name));
  }
}
