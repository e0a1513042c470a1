import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { RateLimiter } from '../../platform/http';
import { providerStepsPerMinutePerAddress } from '../oauth.settings';
import { LoginAddresses, Upstreams } from '../providers';
import { FlowCookies } from './flow-cookies';
import { LoginStates } from './login-states';
import { ReturnAddresses } from './return-addresses';

export const FLOW_LIMIT = { setting: providerStepsPerMinutePerAddress, windowSeconds: 60 };

export interface StartRequest {
  readonly name: string;
  /** As the client asks; left out: `/`. */
  readonly redirect?: string | undefined;
  /** Whose account is to be bound; left out: somebody wants to log in. */
  readonly binder?: Caller;
}

/** Sends a browser to a provider. */
@Injectable()
export class LoginStart {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly addresses: LoginAddresses,
    private readonly states: LoginStates,
    private readonly cookies: FlowCookies,
    private readonly returns: ReturnAddresses,
    private readonly limiter: RateLimiter,
  ) {}

  /** Where the browser goes. Errors: `validation_failed`, `not_found`, `rate_limited`, `provider_failed`. */
  async begin({ name, redirect, binder }: StartRequest, request: FastifyRequest, reply: FastifyReply): Promise<URL> {
    const returnTo = await this.readReturn(redirect, request);
    const usable = await this.upstreams.find(name);
    if (!usable) throw platformErrors.notFound();
    await this.limiter.count(FLOW_LIMIT, contextOf(request).limitKey);
    const { provider, upstream } = usable;
    const ask = this.states.draw(provider, this.addresses.callback(provider.name, contextOf(request).origin.origin));
    const address = await upstream.authorizeUrl(ask);
    const browser = await this.cookies.mark(request, reply, { byFormPost: upstream.answersByFormPost });
    await this.states.keep(ask, { provider, browser, returnTo, ...(binder && { binder }) });
    return address;
  }

  private async readReturn(redirect = '/', request: FastifyRequest): Promise<string> {
    const address = await this.returns.read(redirect, request);
    if (address !== undefined) return address;
    throw platformErrors.validationFailed({ fields: [{ field: 'redirect', code: 'redirect' }] });
  }
}
