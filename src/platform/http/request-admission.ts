import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isSafeMethod, RequestContext } from '../context';
import { platformErrors } from '../errors';
import { SettingsReader } from '../settings';
import { corsHeaders } from './cors';
import { csrfCheck } from './csrf';
import { allowedOrigins } from './http.settings';
import { isJson } from './media-type';

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** What a request must be before anybody asks who sent it. */
@Injectable()
export class RequestAdmission {
  constructor(private readonly settings: SettingsReader) {}

  /** Only a browser on another page names its origin; everybody else is spared the settings. */
  async corsHeaders({ headers: { origin } }: FastifyRequest): Promise<Readonly<Record<string, string>>> {
    return origin === undefined ? {} : corsHeaders(origin, await this.settings.get(allowedOrigins));
  }

  isPreflight({ method, headers }: FastifyRequest): boolean {
    return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  }

  /** Errors: `unsupported_media_type`. */
  checkMediaType(request: FastifyRequest): void {
    if (isSafeMethod(request.method)) return;
    if (!hasBody(request)) {
      // Without a body its type means nothing, and Fastify would call an empty JSON text malformed.
      delete request.headers['content-type'];
      return;
    }
    if (!isJson(request.headers['content-type'])) throw platformErrors.unsupportedMediaType();
  }

  /** Errors: `csrf_rejected`. */
  async checkCsrf(request: FastifyRequest, { origin }: RequestContext): Promise<void> {
    if (isSafeMethod(request.method)) return;
    const source = {
      method: request.method,
      origin: request.headers.origin,
      secFetchSite: headerText(request.headers['sec-fetch-site']),
    };
    const allowed = source.origin === undefined ? [] : await this.settings.get(allowedOrigins);
    const result = csrfCheck(source, { ownOrigin: origin.origin, allowedOrigins: allowed });
    if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
  }
}
