import { Injectable } from '@nestjs/common';
import type { Configuration, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { ClientAdmissionService, UsedToken } from '../claims/client-admission.service';
import { errors } from '../core/library';
import { ProtocolPagesService } from './protocol-pages.service';
import { ResourcesService } from './resources.service';

export interface FeatureOptions {
  readonly par: boolean;
  readonly dpop: boolean;
}

/** An opaque token. One without `accountId` belongs to the client itself. */
interface IntrospectedToken extends Partial<UsedToken> {
  readonly accountId?: string;
}

/** Configures the optional specifications that the library supports. */
@Injectable()
export class FeatureConfigurationFactory {
  private readonly resourcesSeen = new WeakMap<object, Map<string, Promise<ResourceServer | undefined>>>();

  constructor(
    private readonly resources: ResourcesService,
    private readonly pages: ProtocolPagesService,
    private readonly admission: ClientAdmissionService,
  ) {}

  create({ par, dpop }: FeatureOptions): Configuration['features'] {
    return {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      dPoP: { enabled: dpop },
      pushedAuthorizationRequests: { enabled: par },
      introspection: {
        enabled: true,
        // RFC 7662 §2.1: only an authenticated client may introspect.
        allowedPolicy: async (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId && this.isAdmitted(token),
      },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => mayRevoke(client, token) },
      resourceIndicators: {
        enabled: true,
        // The library accepts undefined for no resource, although its types do not.
        defaultResource: async (ctx, client, oneOf) => oneOf ?? (await this.defaultResource(ctx, client.clientId)),
        getResourceServerInfo: async (ctx, resource, client) => {
          const found = await this.resourceFor(ctx, resource, client.clientId);
          if (!found) throw new errors.InvalidTarget();
          return found;
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          this.pages.logout(ctx, form);
        },
        postLogoutSuccessSource: (ctx) => {
          this.pages.loggedOut(ctx);
        },
      },
    };
  }

  /** Whether the user of the token may still use the client. */
  private async isAdmitted({ clientId = '', accountId, ...token }: IntrospectedToken): Promise<boolean> {
    if (accountId === undefined) return true;
    const { organizationId, loginMethod } = token;
    return this.admission.admits({ clientId, organizationId, loginMethod }, accountId, 'introspection');
  }

  /** For client credentials only. A user's token without a resource is for userinfo. */
  private async defaultResource({ oidc }: KoaContextWithOIDC, clientId: string): Promise<string | undefined> {
    const { params = {} } = oidc as { params?: Record<string, unknown> };
    if (params['grant_type'] !== 'client_credentials') return undefined;
    params['scope'] ??= (await this.resources.defaultScopesOf(clientId)).join(' ');
    return this.resources.defaultOf(clientId, oidc.requestParamScopes);
  }

  /** Cached per request and resource, because each lookup evaluates every scope of the client. */
  private resourceFor(
    ctx: KoaContextWithOIDC,
    resource: string,
    clientId: string,
  ): Promise<ResourceServer | undefined> {
    const userId = actingFor(ctx);
    const key = `${userId ?? ''} ${resource}`;
    const seen = this.resourcesSeen.get(ctx.req) ?? new Map<string, Promise<ResourceServer | undefined>>();
    const found = seen.get(key) ?? this.resources.find(resource, clientId, userId);
    this.resourcesSeen.set(ctx.req, seen.set(key, found));
    return found;
  }
}

/** The user of a code, token or session. Undefined if the client acts for itself. */
function actingFor({ oidc }: KoaContextWithOIDC): string | undefined {
  const { Account, AuthorizationCode, RefreshToken } = oidc.entities;
  return (
    Account?.accountId ??
    AuthorizationCode?.accountId ??
    RefreshToken?.accountId ??
    oidc.session?.accountId ??
    undefined
  );
}

function mayRevoke(client: { clientId: string }, token: { clientId?: string | undefined }): boolean {
  if (token.clientId === client.clientId) return true;
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token');
}
