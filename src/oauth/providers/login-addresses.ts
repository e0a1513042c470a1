import { Injectable } from '@nestjs/common';
import { currentRequest } from '../../platform/context';
import { OwnPaths } from '../../platform/http';

/** Where a login through a provider begins and where it comes back, behind whatever prefix a host gave its routes. */
@Injectable()
export class LoginAddresses {
  constructor(private readonly paths: OwnPaths) {}

  /** The path that begins a login. */
  start(name: string): string {
    return this.of('/api/oauth/login/:name', name);
  }

  /** What an operator registers with the provider, and what every login names; at the origin of this request, unless told. */
  callback(name: string, origin = currentRequest()?.origin.origin ?? ''): string {
    return origin + this.of('/api/oauth/callback/:name', name);
  }

  private of(route: string, name: string): string {
    return this.paths.addressOf(route).replace(':name', encodeURIComponent(name));
  }
}
