import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { ORGANIZATION_SCOPE } from '../clients/client-scopes.service';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { AccessRejectionsService } from '../claims/access-rejections.service';
import { LoggedInUser } from '../core/request';
import { OrganizationChoiceService, RejectedChoice } from '../claims/organization-choice.service';
import { ORGANIZATION_PARAMETER } from '../claims/requested-organization.service';
import { errors, interactionPolicy, Provider as Library } from '../core/library';
import { before } from '../core/patch-errors';
import { rejectUser } from './rejected-user';
import { userOf } from '../core/request';
import { fieldInUse, storeField } from './token-fields';

/** For the application's developers, so they are not translated. They reveal nothing that the request did not name. */
const OTHER_LOGIN = 'the organization does not accept the login method of the user';
const NOT_A_MEMBER = 'the user is not a member of the organization';
const SEVERAL = 'the user is a member of several organizations: name one in the parameter organization';

const FIELD = 'organizationId';

/** A code or token with the organization that it is for. */
interface OrganizationToken {
  [FIELD]?: string;
}

/**
 * Keeps the organization that a login at an application is for in its code and tokens. The grant does not name it: two
 * tabs of one session may use the application for two organizations.
 */
@Injectable()
export class TokenOrganizationService {
  private readonly chosen = new WeakMap<IncomingMessage, string>();

  constructor(
    private readonly clients: ClientCache,
    private readonly choices: OrganizationChoiceService,
    private readonly rejections: AccessRejectionsService,
  ) {}

  /**
   * Chooses the organization of an authorization request, or rejects the request. A prompt that never asks, after the
   * consent: without the consent of the user, the application must not learn of memberships.
   */
  prompt(): interactionPolicy.Prompt {
    const check = new interactionPolicy.Check('organization', NOT_A_MEMBER, 'access_denied', async (ctx) => {
      await this.choose(ctx);
      return false;
    });
    return new interactionPolicy.Prompt({ name: 'organization', requestable: false }, check);
  }

  install({ AuthorizationCode, RefreshToken, AccessToken }: Provider): void {
    for (const model of [AuthorizationCode, RefreshToken, AccessToken]) storeField(model, FIELD);
    before<OrganizationToken>(AuthorizationCode.prototype, 'save', (code) => {
      bind(code, Library.ctx && this.chosen.get(Library.ctx.req));
    });
    for (const { prototype } of [RefreshToken, AccessToken]) {
      before<OrganizationToken>(prototype, 'save', (token) => {
        bind(token, organizationInUse());
      });
    }
  }

  private async choose(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, session, params } = ctx.oidc;
    const registered = client && (await this.clients.get(client.clientId));
    if (!registered || session?.accountId === undefined || !isScopeGranted(ctx)) return;
    const named = params?.[ORGANIZATION_PARAMETER] as string | undefined;
    const user = userOf(ctx.req, session.accountId);
    const choice = await this.choices.choose(registered, user, named);
    if ('rejected' in choice) await this.reject(ctx, registered, user, choice.rejected);
    else if (choice.organizationId !== undefined) this.chosen.set(ctx.req, choice.organizationId);
  }

  private async reject(
    ctx: KoaContextWithOIDC,
    client: OAuthClient,
    { userId }: LoggedInUser,
    because: RejectedChoice,
  ): Promise<never> {
    if (because === 'several_organizations') throw new errors.InvalidRequest(SEVERAL);
    await this.rejections.record(client, userId, 'authorize');
    rejectUser(ctx, because === 'login_method_not_accepted' ? OTHER_LOGIN : NOT_A_MEMBER);
  }
}

/** The organization of the code or refresh token in use. */
export const organizationInUse = (): string | undefined => fieldInUse(FIELD);

/** Users who deny the scope use the application for no organization. */
function isScopeGranted({ oidc }: KoaContextWithOIDC): boolean {
  const { Grant: grant } = oidc.entities;
  return grant?.getOIDCScopeFiltered(oidc.requestParamOIDCScopes).split(' ').includes(ORGANIZATION_SCOPE) ?? false;
}

function bind(token: OrganizationToken, organizationId: string | undefined): void {
  if (organizationId !== undefined) token[FIELD] = organizationId;
}
