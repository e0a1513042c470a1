import { Injectable } from '@nestjs/common';
import { accessErrors } from '../../platform/access';
import { Caller } from '../../platform/context';
import { domainOfEmail } from '../domains/email-domain';
import { OrganizationAccessService } from '../organization-access.service';
import { LimitingOrganizationRepository } from './limiting-organization.repository';
import { ServiceLogins, ServiceProvider } from './service-logins';

/** Whose session it is, and how it began. */
export type LoginSession = Pick<Caller, 'userId' | 'loginMethod'>;

type EmailKey = string | null | undefined;

/**
 * Guards the ways into organizations that limit login methods, in sessions that they do not accept: a verified contact, by which
 * a provider finds the account, and third-party accounts. Concerned are organizations with a login provider, and those that
 * have proved the domain of the e-mail address.
 */
@Injectable()
export class WaysInService {
  constructor(
    private readonly repository: LimitingOrganizationRepository,
    private readonly organizations: OrganizationAccessService,
    private readonly logins: ServiceLogins,
  ) {}

  /**
   * For a change of verified contacts by their user. Throws `login_method_not_accepted`.
   * @param emailKeys those of the account before and after
   */
  async requireForContacts(session: LoginSession, emailKeys: readonly EmailKey[]): Promise<void> {
    const limits = await this.limitsOf(session, emailKeys);
    if (!(await this.allAccept(limits, session))) throw accessErrors.loginMethodNotAccepted();
  }

  /** Whether the user may link or unlink accounts of the provider. It matters where logins by the provider are accepted. */
  async mayChange(session: LoginSession, providerName: string, emailKey: EmailKey): Promise<boolean> {
    const limits = await this.limitsOf(session, [emailKey]);
    return this.allAccept(
      limits.filter((accepted) => accepted.has(`oauth:${providerName}`)),
      session,
    );
  }

  /** Same as `mayChange`, but throws `login_method_not_accepted`. */
  async requireForIdentity(session: LoginSession, providerName: string, emailKey: EmailKey): Promise<void> {
    if (!(await this.mayChange(session, providerName, emailKey))) throw accessErrors.loginMethodNotAccepted();
  }

  private async limitsOf({ userId }: LoginSession, emailKeys: readonly EmailKey[]): Promise<ReadonlySet<string>[]> {
    const domains = emailKeys.flatMap((key) => (key ? [domainOfEmail(key)] : []));
    return this.repository.acceptedBy(userId, { domains, organizationIds: ownersOf(await this.logins.providers()) });
  }

  private async allAccept(limits: ReadonlySet<string>[], { userId, loginMethod }: LoginSession): Promise<boolean> {
    return this.organizations.allAccept(limits, userId, loginMethod);
  }
}

const ownersOf = (providers: readonly ServiceProvider[]): string[] =>
  providers.flatMap(({ organizationId }) => organizationId ?? []);
