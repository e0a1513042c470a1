import { Injectable } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { isOwnRoute } from '../access';

/** `/api/auth` of `/api/auth/sessions/:id`, also behind a prefix that the host gave all its routes. */
const API_PART = /^.*?\/api\/[^/:*]+/;

/**
 * Which requests are the service's: those to its own controllers' routes, and those that no route takes below their
 * `/api/…` paths. A host's own routes stay the host's wherever they lie.
 */
@Injectable()
export class RouteRegistry {
  private readonly claimed = new Set<string>();
  private readonly routes = new Set<string>();
  private everything = false;

  /** Unknown addresses of the whole server are the service's to answer. */
  claimEverything(): void {
    this.everything = true;
  }

  /** Looks at a route as it is added; true when it is the service's. */
  adopt({ url, config }: RouteOptions): boolean {
    if (!isOwnRoute(config)) return this.everything;
    this.routes.add(url);
    const part = API_PART.exec(url)?.[0];
    if (part !== undefined) this.claimed.add(part);
    return true;
  }

  /** Where a route of ours lies, by its path without the prefix that a host may have given it; outside HTTP that path. */
  addressOf(route: string): string {
    return [...this.routes].find((address) => address.endsWith(route)) ?? route;
  }

  /** Judged by the matched route, since one route is reached by many spellings of its address. */
  owns(request: FastifyRequest): boolean {
    if (this.everything) return true;
    return request.is404 ? this.isBelowOwn(request.raw.url ?? '') : isOwnRoute(request.routeOptions.config);
  }

  private isBelowOwn(url: string): boolean {
    const path = url.split('?', 1)[0] ?? '';
    const part = API_PART.exec(path)?.[0];
    return part !== undefined && this.claimed.has(part);
  }
}
