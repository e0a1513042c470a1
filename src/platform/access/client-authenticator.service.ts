import { Injectable } from '@nestjs/common';
import { contextOf, OAuthClientPrincipal } from '../context';
import { platformErrors, ProblemError } from '../errors';
import { OAuthClientAuthenticator, PermissionChecker } from './access.ports';

interface BearerRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

interface ChallengingReply {
  header(name: string, value: string): unknown;
}

const CHALLENGE = 'www-authenticate';
const BEARER = /^Bearer\b/i;

/** Authenticates OAuth clients on routes with `@AllowClients()`. */
@Injectable()
export class ClientAuthenticatorService {
  constructor(
    private readonly authenticator: OAuthClientAuthenticator,
    private readonly permissions: PermissionChecker,
  ) {}

  /**
   * Returns the client when its token holds every wanted permission; undefined if the request may come from a user.
   * Errors: `unauthenticated`, `permission_denied`.
   */
  async admit(
    request: object,
    reply: ChallengingReply,
    wanted: readonly string[],
  ): Promise<OAuthClientPrincipal | undefined> {
    const client = await this.authenticator.authenticate(request);
    if (!client) return undefined;
    // Every permission of the token has been withdrawn from the client.
    if (client.scopes.length === 0) throw platformErrors.unauthenticated();
    const missing = wanted.find((permission) => !client.scopes.includes(permission));
    if (missing !== undefined) {
      reply.header(CHALLENGE, `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`);
      throw platformErrors.permissionDenied({ params: this.permissions.describe(missing) });
    }
    contextOf(request).client = client;
    return client;
  }
}

/** Sets the challenge of a 401 (RFC 9110 §11.6.1), which names a rejected bearer token as such (RFC 6750 §3.1). */
export function challenge(error: unknown, request: BearerRequest, reply: ChallengingReply): void {
  if (!(error instanceof ProblemError) || error.status !== 401) return;
  const isRejectedToken = BEARER.test(request.headers.authorization ?? '');
  reply.header(CHALLENGE, isRejectedToken ? 'Bearer error="invalid_token"' : 'Bearer');
}
