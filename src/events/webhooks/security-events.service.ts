import { Injectable } from '@nestjs/common';
import { FeedEventDto } from '../feed';
import { SECURITY_EVENT_ALGORITHM, signSecurityEvent } from '../../platform/crypto';
import { IssuerService } from '../../platform/http';
import { EffectiveClaimsService } from '../../rbac';
import { SigningKeysService } from '../../session';
import { changedClaims, claimsOf, SignalValues } from './shared-signals';

/** Signs events as Security Event Tokens (RFC 8417), with the keys of the OpenID Connect provider. */
@Injectable()
export class SecurityEventsService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly held: EffectiveClaimsService,
    private readonly issuer: IssuerService,
  ) {}

  /** Creates the key if no application has needed it yet. */
  prepare(): Promise<void> {
    return this.keys.ensure('oauth', SECURITY_EVENT_ALGORITHM);
  }

  /** @param payload the event as `feedEventDto` returns it, in JSON. */
  async sign(payload: string, audience: string): Promise<string> {
    const event = JSON.parse(payload) as FeedEventDto;
    const parties = { issuer: this.issuer.url, audience };
    const claims = claimsOf(event, parties, await this.valuesOf(event));
    return signSecurityEvent(claims, new Date(), await this.keys.current('oauth', SECURITY_EVENT_ALGORITHM));
  }

  private async valuesOf(event: FeedEventDto): Promise<SignalValues> {
    const userId = event.subject?.id ?? '';
    const names = changedClaims(event);
    // A cache of this instance may be older than the event, and no later signal would correct the values.
    if (names.length > 0) await this.held.reload(userId);
    const values = names.map(async (name) => [name, await this.held[name](userId)] as const);
    return Object.fromEntries(await Promise.all(values));
  }
}
