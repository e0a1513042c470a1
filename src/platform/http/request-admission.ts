import { Injectable } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { isOperationRoute, isProtocolRoute, isRouteForClients } from '../access';
import { isSafeMethod, RequestContext } from '../context';
import { platformErrors } from '../errors';
import { SettingsReader } from '../settings';
import { withDeadline } from '../time';
import { ClientOrigins } from './client-origins';
import { clientCorsHeaders, clientPreflightHeaders, corsHeaders, preflightHeaders } from './cors';
import { csrfCheck } from './csrf';
import { allowedOrigins } from './http.settings';
import { takesForms } from './form-post';
import { isForm, isJson, isUncoded } from './media-type';
import { leaveUnread } from './unread-body';

/** Then the last values known do. */
const PATIENCE_MS = 100;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Of every body, also one that is left to whoever speaks the route's protocol. Errors: `unsupported_media_type`. */
function refuseCoded(request: FastifyRequest): void {
  if (hasBody(request) && !isUncoded(request.headers['content-encoding'])) throw platformErrors.unsupportedMediaType();
}

/** What a request must be before anybody asks who sent it. */
@Injectable()
export class RequestAdmission {
  /** Addresses that pages of registered clients may call. */
  private readonly forClients = new Set<string>();

  constructor(
    private readonly settings: SettingsReader,
    private readonly clients: ClientOrigins,
  ) {}

  /** Looks at a route of the service as it is added. */
  adopt({ url, config }: RouteOptions): void {
    if (isRouteForClients(config)) this.forClients.add(url);
  }

  /** Only a browser on another page names its origin; everybody else is spared the settings. */
  async corsHeaders(request: FastifyRequest): Promise<Readonly<Record<string, string>>> {
    const { origin } = request.headers;
    if (origin === undefined) return {};
    if (this.isForClients(request) && (await this.clients.isKnown(origin))) return clientCorsHeaders(origin);
    // A protocol reads no cookie of a page elsewhere, whoever lists the page.
    const { config } = request.routeOptions;
    if (isProtocolRoute(config)) return {};
    return corsHeaders(
      origin,
      await (isOperationRoute(config) ? this.knownOrigins() : this.settings.get(allowedOrigins)),
    );
  }

  preflightHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
    return this.isForClients(request) ? clientPreflightHeaders : preflightHeaders;
  }

  isPreflight({ method, headers }: FastifyRequest): boolean {
    return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  }

  /** Errors: `unsupported_media_type`. */
  checkMediaType(request: FastifyRequest): void {
    if (isSafeMethod(request.method)) return;
    const { config } = request.routeOptions;
    refuseCoded(request);
    if (isProtocolRoute(config) && !takesForms(config)) {
      leaveUnread(request);
      return;
    }
    if (!hasBody(request)) {
      // Without a body its type means nothing, and Fastify would call an empty JSON text malformed.
      delete request.headers['content-type'];
      return;
    }
    const type = request.headers['content-type'];
    const isTaken = (isJson(type) && !isProtocolRoute(config)) || (isForm(type) && takesForms(config));
    if (!isTaken) throw platformErrors.unsupportedMediaType();
  }

  /** The pages elsewhere that may act here, asked for where it matters; undefined: it does not, whichever they are. */
  foreignOrigins({ method, headers }: FastifyRequest): Promise<readonly string[]> | undefined {
    return headers.origin === undefined || isSafeMethod(method) ? undefined : this.settings.get(allowedOrigins);
  }

  /** Errors: `csrf_rejected`. */
  checkCsrf(request: FastifyRequest, { origin }: RequestContext, foreign: readonly string[]): void {
    if (isSafeMethod(request.method)) return;
    const { config } = request.routeOptions;
    if (takesForms(config) || isProtocolRoute(config)) return;
    const source = {
      method: request.method,
      origin: request.headers.origin,
      secFetchSite: headerText(request.headers['sec-fetch-site']),
    };
    const result = csrfCheck(source, { ownOrigin: origin.origin, allowedOrigins: foreign });
    if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
  }

  /** What tells how the service is keeps nobody waiting for a database that is away. */
  private async knownOrigins(): Promise<readonly string[]> {
    try {
      return await withDeadline(PATIENCE_MS, this.settings.get(allowedOrigins));
    } catch {
      return this.settings.lastKnown(allowedOrigins) ?? [];
    }
  }

  /** A preflight has no route of its own; the address says which one it asks for. */
  private isForClients({ raw: { url = '' } }: FastifyRequest): boolean {
    return this.forClients.has(url.split('?', 1)[0] ?? '');
  }
}
