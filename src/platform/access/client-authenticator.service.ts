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

/** The door of routes declared for machines, beside that of users. */
@Injectable()
export class ClientAuthenticatorService {
  constructor(
    private readonly authenticator: OAuthClientAuthenticator,
    private readonly permissions: PermissionChecker,
  ) {}

  /**
   * The machine that makes the request and holds every permission; undefined where it may be a user's.
   * Errors: `unauthenticated`, `permission_denied`.
   */
  async admit(
    request: object,
    reply: ChallengingReply,
    wanted: readonly string[],
  ): Promise<OAuthClientPrincipal | undefined> {
    const machine = await this.authenticator.authenticate(request);
    if (!machine) return undefined;
    // A token of which nothing is left is no longer good for anything.
    if (machine.scopes.length === 0) throw platformErrors.unauthenticated();
    const missing = wanted.find((permission) => !machine.scopes.includes(permission));
    if (missing !== undefined) {
      reply.header(CHALLENGE, `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`);
      throw platformErrors.permissionDenied({ params: this.permissions.describe(missing) });
    }
    contextOf(request).machine = machine;
    return machine;
  }
}

/** Tells who came with a token why it did not do (RFC 6750 §3.1). */
export function challenge(error: unknown, request: BearerRequest, reply: ChallengingReply): void {
  if (!(error instanceof ProblemError) || error.status !== 401) return;
  if (BEARER.test(request.headers.authorization ?? '')) reply.header(CHALLENGE, 'Bearer error="invalid_token"');
}
