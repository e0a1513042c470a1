import { Injectable } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { isHealthRoute, isOAuthRoute, isRouteForClients } from '../access';
import { isSafeMethod, RequestContext } from '../context';
import { platformErrors } from '../errors';
import { MaybePromise } from '../maybe-promise';
import { SettingsReader } from '../settings';
import { withDeadline } from '../time';
import { ClientOrigins } from './client-origins';
import { clientCorsHeaders, clientPreflightHeaders, corsHeaders, preflightHeaders } from './cors';
import { csrfCheck } from './csrf';
import { allowedOrigins } from './http.settings';
import { takesForms } from './form-post';
import { isForm, isJson, isUncoded } from './media-type';
import { skipBodyParsing } from './skip-body-parsing';

/** Then the last values known do. */
const PATIENCE_MS = 100;

const NO_HEADERS = {};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Of every body, also one that is left to whoever speaks the route's protocol. Errors: `unsupported_media_type`. */
function rejectCoded(request: FastifyRequest): void {
  if (hasBody(request) && !isUncoded(request.headers['content-encoding'])) throw platformErrors.unsupportedMediaType();
}

/** What a request must be before anybody asks who sent it. */
@Injectable()
export class RequestChecksService {
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
  corsHeaders(request: FastifyRequest): MaybePromise<Readonly<Record<string, string>>> {
    const { origin } = request.headers;
    return origin === undefined ? NO_HEADERS : this.corsHeadersFor(origin, request);
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
    rejectCoded(request);
    if (isOAuthRoute(config) && !takesForms(config)) {
      skipBodyParsing(request);
      return;
    }
    if (!hasBody(request)) {
      // Without a body its type means nothing, and Fastify would call an empty JSON text malformed.
      delete request.headers['content-type'];
      return;
    }
    const type = request.headers['content-type'];
    const isTaken = (isJson(type) && !isOAuthRoute(config)) || (isForm(type) && takesForms(config));
    if (!isTaken) throw platformErrors.unsupportedMediaType();
  }

  /** The pages elsewhere that may act here; empty where the request does not depend on them. */
  foreignOrigins({ method, headers }: FastifyRequest): MaybePromise<readonly string[]> {
    return headers.origin === undefined || isSafeMethod(method) ? [] : this.settings.get(allowedOrigins);
  }

  /** Errors: `csrf_rejected`. */
  checkCsrf(request: FastifyRequest, { origin }: RequestContext, foreign: readonly string[]): void {
    if (isSafeMethod(request.method)) return;
    const { config } = request.routeOptions;
    if (takesForms(config) || isOAuthRoute(config)) return;
    const source = {
      method: request.method,
      origin: request.headers.origin,
      secFetchSite: headerText(request.headers['sec-fetch-site']),
    };
    const result = csrfCheck(source, { ownOrigin: origin.origin, allowedOrigins: foreign });
    if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
  }

  private async corsHeadersFor(origin: string, request: FastifyRequest): Promise<Readonly<Record<string, string>>> {
    if (this.isForClients(request) && (await this.clients.isClientOrigin(origin))) return clientCorsHeaders(origin);
    // A protocol reads no cookie of a page elsewhere, whoever lists the page.
    const { config } = request.routeOptions;
    if (isOAuthRoute(config)) return {};
    return corsHeaders(origin, await (isHealthRoute(config) ? this.knownOrigins() : this.settings.get(allowedOrigins)));
  }

  /** What tells how the service is keeps nobody waiting for a database that is away. */
  private async knownOrigins(): Promise<readonly string[]> {
    try {
      return await withDeadline(PATIENCE_MS, Promise.resolve(this.settings.get(allowedOrigins)));
    } catch {
      return this.settings.getCached(allowedOrigins) ?? [];
    }
  }

  /** A preflight has no route of its own; the address says which one it asks for. */
  private isForClients({ raw: { url = '' } }: FastifyRequest): boolean {
    return this.forClients.has(url.split('?', 1)[0] ?? '');
  }
}
