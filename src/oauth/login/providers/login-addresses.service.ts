import { Injectable } from '@nestjs/common';
import { currentRequest } from '../../../platform/context';
import { RouteRegistry } from '../../../platform/http';

/** The URLs where logins at a provider start and return, including the prefix that a host application sets. */
@Injectable()
export class LoginAddressesService {
  constructor(private readonly paths: RouteRegistry) {}

  /** The path that starts a login. */
  start(name: string): string {
    return this.compose('/api/oauth/login/:name', name);
  }

  /**
   * The redirect URI that the operator registers with the provider. By default at the origin of the current request.
   */
  callback(name: string, origin = currentRequest()?.origin.origin ?? ''): string {
    return origin + this.compose('/api/oauth/callback/:name', name);
  }

  private compose(route: string, name: string): string {
    return this.paths.addressOf(route).replace(':name', encodeURIComponent(name));
  }
}
