import { Injectable } from '@nestjs/common';
import { Deferred, DeferredActs } from '../../auth';
import { mfaErrors } from '../../mfa';
import { EmailAddress, KnownUser } from '../../users';
import { Identities, UpstreamPerson } from '../identities';
import { UpstreamProfile, Upstreams } from '../providers';

const KIND = 'oauth.link';

/** A link that waits for its user's second factor. */
interface WaitingLink {
  readonly provider: { readonly id: string; readonly version: number; readonly name: string };
  readonly profile: UpstreamProfile;
  /** Key of the e-mail by which the account was found. */
  readonly emailKey?: string;
}

/** Links people once the second factor is proved, where a login at a provider was interrupted by it. */
@Injectable()
export class DeferredLinks {
  constructor(
    private readonly identities: Identities,
    private readonly upstreams: Upstreams,
    acts: DeferredActs,
  ) {
    acts.register(KIND, (user, payload) => this.link(user, JSON.parse(payload) as WaitingLink));
  }

  defer({ provider: { id, version, name }, profile }: UpstreamPerson, matched?: EmailAddress): Deferred {
    const link: WaitingLink = { provider: { id, version, name }, profile, ...(matched && { emailKey: matched.key }) };
    return { kind: KIND, payload: JSON.stringify(link) };
  }

  /** What was true before the second step must be true after it. Errors: `temp_token_invalid`, `identity_taken`. */
  private async link(user: KnownUser, { provider: seen, profile, emailKey }: WaitingLink): Promise<void> {
    const provider = (await this.upstreams.find(seen.name))?.provider;
    if (provider?.id !== seen.id || provider.version !== seen.version) throw mfaErrors.tempTokenInvalid();
    const person = { provider, profile };
    const isTheirs =
      emailKey === undefined
        ? (await this.identities.find(person))?.userId === user.id
        : user.emailVerified && user.emailKey === emailKey;
    if (!isTheirs) throw mfaErrors.tempTokenInvalid();
    await this.identities.link(user, person, mfaErrors.tempTokenInvalid);
  }
}
