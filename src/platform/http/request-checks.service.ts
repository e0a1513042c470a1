import { Injectable } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { isAuthzenRoute, isHealthRoute, isOAuthRoute, isRouteForClients } from './route-marks';
import { contextOf, isSafeMethod, RequestContext } from '../context';
import { platformErrors } from '../errors';
import { MaybePromise, withDeadline } from '../util';
import { SettingsReader } from '../settings';
import { ClientOrigins } from './client-origins';
import { clientCorsHeaders, clientPreflightHeaders, corsHeaders, preflightHeaders } from './cors';
import { csrfCheck, CsrfRules } from './csrf';
import { allowedOrigins } from './http.settings';
import { takesForms } from './form-post';
import { FORM_TYPE, isForm, isJson, isUncoded, JSON_TYPE } from './media-type';
import { requiresKnownOrigin } from './reject-head';
import { skipBodyParsing } from './skip-body-parsing';

/** Time after which the cached settings are used. */
const PATIENCE_MS = 100;

const NO_HEADERS = {};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Whether another site must not cause the request. */
const isProtected = ({ method, routeOptions }: FastifyRequest): boolean =>
  !isSafeMethod(method) || requiresKnownOrigin(routeOptions.config);

/** Rejects coded bodies on all routes, including protocol routes. Errors: `unsupported_media_type`. */
function rejectCoded(request: FastifyRequest): void {
  if (hasBody(request) && !isUncoded(request.headers['content-encoding'])) throw platformErrors.unsupportedMediaType();
}

/** The media type, without parameters, of a body that the route reads. */
function acceptedType(contentType: string | undefined, config: unknown): string | undefined {
  if (isJson(contentType) && !isOAuthRoute(config)) return JSON_TYPE;
  return isForm(contentType) && takesForms(config) ? FORM_TYPE : undefined;
}

/** Treats a GET as a request that changes state. */
function assertOrigin({ headers, method }: FastifyRequest, rules: CsrfRules): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const source = { method: isSafeMethod(method) ? 'POST' : method, origin, secFetchSite: headerText(site) };
  const result = csrfCheck(source, rules);
  if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
}

/** Checks on requests before authentication. */
@Injectable()
export class RequestChecksService {
  /** URLs that pages of registered clients may call. */
  private readonly forClients = new Set<string>();

  constructor(
    private readonly settings: SettingsReader,
    private readonly clients: ClientOrigins,
  ) {}

  /** Records a route of the service when it is added. */
  adopt({ url, config }: RouteOptions): void {
    if (isRouteForClients(config)) this.forClients.add(url);
  }

  /** Only a cross-origin browser request has an `Origin`; all others skip the settings. */
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

  /** Checks the media type of the body. Errors: `unsupported_media_type`; on AuthZEN routes `malformed_json`. */
  checkMediaType(request: FastifyRequest): void {
    if (isSafeMethod(request.method)) return;
    const { config } = request.routeOptions;
    rejectCoded(request);
    if (isOAuthRoute(config) && !takesForms(config)) {
      skipBodyParsing(request);
      return;
    }
    if (!hasBody(request)) {
      // Without a body the type is meaningless, and Fastify would report empty JSON as malformed.
      delete request.headers['content-type'];
      return;
    }
    const type = acceptedType(request.headers['content-type'], config);
    if (type === undefined) {
      throw isAuthzenRoute(config) ? platformErrors.malformedJson() : platformErrors.unsupportedMediaType();
    }
    // Without parameters, so that the parser of the body cannot read another type out of them.
    request.headers['content-type'] = type;
  }

  /** Returns the allowed foreign origins; empty if the request does not depend on them. */
  foreignOrigins(request: FastifyRequest): MaybePromise<readonly string[]> {
    return request.headers.origin === undefined || !isProtected(request) ? [] : this.settings.get(allowedOrigins);
  }

  /** Checks the origin of a request that another site must not cause. Errors: `csrf_rejected`. */
  checkCsrf(request: FastifyRequest, { origin }: RequestContext, foreign: readonly string[]): void {
    if (!isProtected(request)) return;
    const { config } = request.routeOptions;
    if (takesForms(config) || isOAuthRoute(config)) return;
    assertOrigin(request, { ownOrigin: origin.origin, allowedOrigins: foreign });
  }

  /** Checks the origin again, while a stream is open: settings may have changed. Errors: `csrf_rejected`. */
  async requireKnownOrigin(request: FastifyRequest): Promise<void> {
    const { origin } = contextOf(request);
    const foreign = await this.settings.get(allowedOrigins);
    assertOrigin(request, { ownOrigin: origin.origin, allowedOrigins: foreign });
  }

  private async corsHeadersFor(origin: string, request: FastifyRequest): Promise<Readonly<Record<string, string>>> {
    if (this.isForClients(request) && (await this.clients.isClientOrigin(origin))) return clientCorsHeaders(origin);
    // Protocol routes never use cookies of another origin, even of a listed one.
    const { config } = request.routeOptions;
    if (isOAuthRoute(config)) return {};
    return corsHeaders(origin, await (isHealthRoute(config) ? this.knownOrigins() : this.settings.get(allowedOrigins)));
  }

  /** Health routes must not wait for an unreachable database. */
  private async knownOrigins(): Promise<readonly string[]> {
    try {
      return await withDeadline(PATIENCE_MS, Promise.resolve(this.settings.get(allowedOrigins)));
    } catch {
      return this.settings.getCached(allowedOrigins) ?? [];
    }
  }

  /** A preflight has no route; its URL names the requested one. */
  private isForClients({ raw: { url = '' } }: FastifyRequest): boolean {
    return this.forClients.has(url.split('?', 1)[0] ?? '');
  }
}
