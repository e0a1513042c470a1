import { Injectable } from '@nestjs/common';
import {
  contactRequired,
  emailCodeRequired,
  phoneCodeRequired,
  registrationEnabled,
  RegistrationService,
} from '../../../auth';
import { AttemptOrigin, LoginCompletionService, LoginResult } from '../../../auth/login';
import { randomDigits } from '../../../platform/crypto';
import { platformErrors, ProblemError } from '../../../platform/errors';
import { SettingsReader } from '../../../platform/settings';
import { EmailAddress, TermsService, UserView, usernameFrom, UserRepository } from '../../../users';
import { UserAttributesService } from '../../../users/attributes';
import { accountFace, IdentitiesService, provenEmail, ExternalIdentity, mayBeLinked } from '../identities';
import { oauthErrors } from '../third-party-login.errors';

const SUFFIX_DIGITS = 6;

const isInvalid = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === platformErrors.validationFailed.code;

/**
 * Registers an account for an unknown user, if the provider has `auto_register` and the registration rules allow it.
 */
@Injectable()
export class AutoRegistrationService {
  constructor(
    private readonly registration: RegistrationService,
    private readonly identities: IdentitiesService,
    private readonly completion: LoginCompletionService,
    private readonly users: UserRepository,
    private readonly terms: TermsService,
    private readonly attributes: UserAttributesService,
    private readonly settings: SettingsReader,
  ) {}

  /** Undefined: the user must choose an account. Errors: those of a registration, `identity_taken`, `state_invalid`. */
  async admit(identity: ExternalIdentity, origin: AttemptOrigin): Promise<LoginResult | undefined> {
    const email = provenEmail(identity);
    const account = { emailKey: email?.key ?? null, emailVerified: email !== undefined };
    if (!identity.provider.autoRegister || !mayBeLinked(identity, account)) return undefined;
    if (!(await this.isOpen(email))) return undefined;
    try {
      return await this.register(identity, email, origin);
    } catch (error) {
      // The rules may have become stricter since the check.
      if (isInvalid(error) && !(await this.isOpen(email))) return undefined;
      throw error;
    }
  }

  private async register(
    identity: ExternalIdentity,
    email: EmailAddress | undefined,
    origin: AttemptOrigin,
  ): Promise<LoginResult | undefined> {
    const { provider } = identity;
    let result: LoginResult | undefined;
    const application = { username: await this.freeUsername(identity), ...accountFace(identity) };
    await this.registration.register(application, origin, {
      source: 'provider',
      ...(email && { provenEmail: email }),
      also: async ({ id: userId }) => {
        const createError = oauthErrors.stateInvalid;
        const consume = async (user: UserView): Promise<void> => {
          await this.identities.attach(user, identity, createError);
        };
        const login = { userId, method: `oauth:${provider.name}`, remember: true, createError, consume };
        result = await this.completion.complete(login, origin);
      },
    });
    return result;
  }

  /**
   * A required contact must be verified, and a trusted provider verifies only the e-mail address. Terms are accepted, and
   * required attributes given, by people only.
   */
  private async isOpen(email: EmailAddress | undefined): Promise<boolean> {
    const [enabled, contact, emailRequired, phoneRequired, termsRequired] = await Promise.all([
      this.settings.get(registrationEnabled),
      this.settings.get(contactRequired),
      this.settings.get(emailCodeRequired),
      this.settings.get(phoneCodeRequired),
      this.terms.isRequired(),
    ]);
    if ((await this.attributes.ofRegistration()).length > 0) return false;
    if (!enabled || termsRequired || phoneRequired || contact === 'phone' || contact === 'both') return false;
    return (!emailRequired && contact === 'none') || email !== undefined;
  }

  private async freeUsername({ profile }: ExternalIdentity): Promise<string> {
    const wanted = usernameFrom(profile.nickname ?? '');
    return (await this.users.isUsernameTaken(wanted))
      ? usernameFrom(profile.nickname ?? '', `_${randomDigits(SUFFIX_DIGITS)}`)
      : wanted;
  }
}
