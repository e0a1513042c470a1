import { Injectable } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { isOwnRoute } from './route-marks';

/** Matches `/api/auth` of `/api/auth/sessions/:id`, with any prefix that the host adds. */
const API_PART = /^.*?\/api\/[^/:*]+/;

/**
 * Decides which requests belong to the service: those of its controllers, and unknown URLs below their `/api/…` paths.
 * Routes of a host stay the host's everywhere.
 */
@Injectable()
export class RouteRegistry {
  private readonly claimed = new Set<string>();
  private readonly routes = new Set<string>();
  private everything = false;

  /** Makes the service handle all unknown URLs of the server. */
  claimEverything(): void {
    this.everything = true;
  }

  /** Records a route when it is added. Returns whether it belongs to the service. */
  adopt({ url, config }: RouteOptions): boolean {
    if (!isOwnRoute(config)) return this.everything;
    this.routes.add(url);
    const part = API_PART.exec(url)?.[0];
    if (part !== undefined) this.claimed.add(part);
    return true;
  }

  /** Returns the URL of our route, including a prefix of the host; outside HTTP, the given path. */
  addressOf(route: string): string {
    return [...this.routes].find((address) => address.endsWith(route)) ?? route;
  }

  /** Uses the matched route, because one route has many spellings of its URL. */
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
