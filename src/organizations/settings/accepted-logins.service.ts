import { Injectable } from '@nestjs/common';
import { OrganizationAccess } from '../../platform/access';
import { Caller } from '../../platform/context';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { ServiceLogins, ServiceProvider } from './service-logins';

/** A login method of the service, or a login provider. */
export interface OfferedLogin {
  /** Type of the login method, or `oauth:<provider>`: as sessions record it. */
  readonly method: string;
  /** Of a login provider; null for the methods of the service, which the pages name. */
  readonly label: string | null;
}

interface LoginChange {
  /** Undefined: all. */
  readonly before: readonly string[] | undefined;
  readonly accepted: readonly string[];
}

const FIELD = 'login_methods';
const PROVIDER = 'oauth:';

/** Which login methods an organization may accept: those that the service offers its members, so it can only leave some out. */
@Injectable()
export class AcceptedLoginsService {
  constructor(
    private readonly logins: ServiceLogins,
    private readonly organizations: OrganizationAccess,
  ) {}

  /** The methods of the service, then the login providers for all users and those of the organization. */
  async offered(organizationId: string): Promise<OfferedLogin[]> {
    const types = (await this.logins.methods()).map((method) => ({ method, label: null }));
    return [...types, ...providersFor(organizationId, await this.logins.providers())];
  }

  /**
   * A method that was accepted before may stay while the service does not offer it. A member who changes the methods must have
   * logged in by one that stays accepted: that proves that it works, and prevents a change that no member could take back.
   * Throws `validation_failed`.
   */
  async require(
    { userId, loginMethod }: Caller,
    organizationId: string,
    { before = [], accepted }: LoginChange,
  ): Promise<void> {
    const known = [...before, ...methodsOf(await this.offered(organizationId))];
    rejectUnknown(accepted, (method) => known.includes(method));
    if (loginMethod !== undefined && accepted.includes(loginMethod)) return;
    if (!(await this.organizations.isMember(userId, organizationId))) return;
    throw platformErrors.validationFailed({ fields: [{ field: FIELD, code: 'own_login_method' }] });
  }

  /**
   * Whether the providers still have their names. Call it in the transaction that stores the methods, with the lock of
   * authority, for which a new name and a deletion wait. Throws `validation_failed`.
   */
  async requireNamed(organizationId: string, { before = [], accepted }: LoginChange): Promise<void> {
    const known = [...before, ...methodsOf(providersFor(organizationId, await this.logins.readProviders()))];
    rejectUnknown(accepted, (method) => !method.startsWith(PROVIDER) || known.includes(method));
  }
}

/** The login providers for all users, and those of the organization. */
const providersFor = (organizationId: string, providers: readonly ServiceProvider[]): OfferedLogin[] =>
  providers
    .filter((provider) => [null, organizationId].includes(provider.organizationId))
    .map(({ name, label }) => ({ method: `${PROVIDER}${name}`, label }));

const methodsOf = (offered: readonly OfferedLogin[]): string[] => offered.map(({ method }) => method);

function rejectUnknown(accepted: readonly string[], isKnown: (method: string) => boolean): void {
  const unknown = accepted.flatMap((method, index): FieldProblem[] =>
    isKnown(method) ? [] : [{ field: `${FIELD}[${index}]`, code: 'unknown_login_method', params: { method } }],
  );
  if (unknown.length > 0) throw platformErrors.validationFailed({ fields: unknown });
}
