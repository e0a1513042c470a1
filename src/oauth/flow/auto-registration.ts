import { Injectable } from '@nestjs/common';
import {
  emailCodeRequired,
  Entered,
  Entrance,
  phoneCodeRequired,
  registrationEnabled,
  RegistrationService,
} from '../../auth';
import { RequestContext } from '../../platform/context';
import { randomDigits } from '../../platform/crypto';
import { SettingsReader } from '../../platform/settings';
import { EmailAddress, KnownUser, usernameFrom, UserRepository } from '../../users';
import { accountFace, Identities, provenEmail, UpstreamPerson } from '../identities';
import { oauthErrors } from '../oauth.errors';

const SUFFIX_DIGITS = 6;

/** Makes an account for a person nobody here knows, where the provider is set to and the rules of registration let it. */
@Injectable()
export class AutoRegistration {
  constructor(
    private readonly registration: RegistrationService,
    private readonly identities: Identities,
    private readonly entrance: Entrance,
    private readonly users: UserRepository,
    private readonly settings: SettingsReader,
  ) {}

  /** undefined: the person has to say more. Errors: those of a registration, `identity_taken`, `state_invalid`. */
  async admit(person: UpstreamPerson, request: RequestContext): Promise<Entered | undefined> {
    const { provider } = person;
    const email = provenEmail(person);
    if (!provider.autoRegister || !(await this.isOpen(email))) return undefined;
    let entered: Entered | undefined;
    const application = { username: await this.freeUsername(person), ...accountFace(person) };
    await this.registration.register(application, request, {
      source: 'provider',
      ...(email && { provenEmail: email }),
      also: async ({ id: userId }) => {
        const refusal = oauthErrors.stateInvalid;
        const spend = (user: KnownUser): Promise<void> => this.identities.link(user, person, refusal);
        const arrival = { userId, method: `oauth:${provider.name}`, remember: true, refusal, spend };
        entered = await this.entrance.enter(arrival, request);
      },
    });
    return entered;
  }

  /** A required code is a proof that somebody must give, and a trusted provider gave it for the e-mail alone. */
  private async isOpen(email: EmailAddress | undefined): Promise<boolean> {
    const [enabled, emailRequired, phoneRequired] = await Promise.all([
      this.settings.get(registrationEnabled),
      this.settings.get(emailCodeRequired),
      this.settings.get(phoneCodeRequired),
    ]);
    return enabled && !phoneRequired && (!emailRequired || email !== undefined);
  }

  private async freeUsername({ profile }: UpstreamPerson): Promise<string> {
    const wanted = usernameFrom(profile.nickname ?? '');
    return (await this.users.isUsernameTaken(wanted))
      ? usernameFrom(profile.nickname ?? '', `_${randomDigits(SUFFIX_DIGITS)}`)
      : wanted;
  }
}
