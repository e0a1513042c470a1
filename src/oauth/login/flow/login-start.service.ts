import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { RateLimiterService } from '../../../platform/http';
import { providerStepsPerMinutePerAddress } from '../third-party-login.settings';
import { IdentitiesService } from '../identities';
import { LoginAddressesService, IdentityProviderRegistry } from '../providers';
import { FlowCookiesService } from './flow-cookies.service';
import { AuthorizationRequestStore } from './authorization-request.store';
import { ReturnAddressesService } from './return-addresses.service';

export const FLOW_LIMIT = { setting: providerStepsPerMinutePerAddress, windowSeconds: 60 };

export interface StartRequest {
  readonly name: string;
  /** The requested URL. Default: `/`. */
  readonly redirect?: string | undefined;
  /** The user who links an account. Undefined: a login. */
  readonly linkingUser?: Caller;
}

/** Starts logins at providers. */
@Injectable()
export class LoginStartService {
  constructor(
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly addresses: LoginAddressesService,
    private readonly states: AuthorizationRequestStore,
    private readonly cookies: FlowCookiesService,
    private readonly returns: ReturnAddressesService,
    private readonly limiter: RateLimiterService,
    private readonly identities: IdentitiesService,
  ) {}

  /**
   * Returns the provider's URL for the browser. Errors: `validation_failed`, `not_found`, `rate_limited`,
   * `provider_failed`, and for a link `login_method_not_accepted`.
   */
  async begin(
    { name, redirect, linkingUser }: StartRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<URL> {
    const returnTo = await this.readReturn(redirect, request);
    const usable = await this.identityProviders.find(name);
    if (!usable) throw platformErrors.notFound();
    if (linkingUser) await this.identities.requireLinkable(linkingUser, usable.provider);
    await this.limiter.count(FLOW_LIMIT, contextOf(request).limitKey);
    const { provider, identityProvider } = usable;
    const ask = this.states.draw(provider, this.addresses.callback(provider.name, contextOf(request).origin.origin));
    const address = await identityProvider.authorizeUrl(ask);
    const browser = await this.cookies.mark(request, reply, { byFormPost: identityProvider.answersByFormPost });
    await this.states.keep(ask, { provider, browser, returnTo, ...(linkingUser && { linkingUser }) });
    return address;
  }

  private async readReturn(redirect = '/', request: FastifyRequest): Promise<string> {
    const address = await this.returns.read(redirect, request);
    if (address !== undefined) return address;
    throw platformErrors.validationFailed({ fields: [{ field: 'redirect', code: 'redirect' }] });
  }
}
