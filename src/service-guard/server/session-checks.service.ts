import { Injectable } from '@nestjs/common';
import { OrganizationAccess, PendingDutiesService, SecondFactorPolicy } from '../../platform/access';
import { Caller } from '../../platform/context';
import { DatabaseClock } from '../../platform/database';
import { FieldProblem, platformErrors, ProblemError } from '../../platform/errors';
import { allOf } from '../../platform/util';
import { parsePermissionCode, PermissionCode, PermissionsService } from '../../rbac';
import { SessionAuthenticatorService, sessionErrors, TokenHolder } from '../../session';
import { subjectOf } from './change-subjects';
import { CheckedOrganizationDto, CheckSessionDto, SessionCheckDto } from './dto/session-check.dto';
import { ServiceAssertionsService } from './service-assertions.service';

interface RequestedPermission {
  /** As the service writes it. */
  readonly text: string;
  readonly code: PermissionCode;
}

/**
 * Checks the sessions that other services are shown. Reads the database, past the caches: the service keeps the result
 * for a second, and a change must take effect within a second of its commit.
 */
@Injectable()
export class SessionChecksService {
  constructor(
    private readonly authenticator: SessionAuthenticatorService,
    private readonly assertions: ServiceAssertionsService,
    private readonly permissions: PermissionsService,
    private readonly organizations: OrganizationAccess,
    private readonly secondFactors: SecondFactorPolicy,
    private readonly duties: PendingDutiesService,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * @param scope the scope of the service; it learns nothing about other permissions of the user
   * Errors: `validation_failed`.
   */
  async check(scope: string, body: CheckSessionDto): Promise<SessionCheckDto> {
    const requested = readPermissions(scope, body.permissions);
    try {
      const holder = await this.authenticate(scope, body);
      // A guard of an earlier version would let the actor change things as the user.
      if (holder.caller.actor && body.acting !== true) throw sessionErrors.sessionRevoked();
      return await this.describe(holder, requested, body.organization_id);
    } catch (error) {
      // The service rejects its caller with this code: here, its own request has succeeded.
      if (error instanceof ProblemError && error.status === 401) return { active: false, code: error.code };
      throw error;
    }
  }

  private authenticate(scope: string, { tokens, assertion }: CheckSessionDto): Promise<TokenHolder> {
    if (tokens && assertion === undefined) return this.authenticator.authenticateTokens(tokens);
    if (assertion !== undefined && !tokens) return this.assertions.authenticate(scope, assertion);
    throw platformErrors.validationFailed({ fields: [{ field: 'assertion', code: 'tokens_or_assertion' }] });
  }

  private async describe(
    { caller, expiresAt }: TokenHolder,
    requested: readonly RequestedPermission[],
    organizationId: string | undefined,
  ): Promise<SessionCheckDto> {
    const { userId, username, locale, sessionId, amr, recentLogin, recentSecondFactor, actor } = caller;
    await this.permissions.reload(userId);
    const { isOffered, isEnrolled } = await this.secondFactors.get(userId);
    return {
      active: true,
      user: { id: userId, username, locale },
      session: { id: sessionId, amr, recent_login: recentLogin, recent_second_factor: recentSecondFactor },
      ...(actor && { actor: { id: actor.userId, username: actor.username, session_id: actor.sessionId } }),
      second_factor: { offered: isOffered, enrolled: isEnrolled },
      pending: await this.duties.list(caller),
      ...(organizationId !== undefined && { organization: await this.within(caller, organizationId) }),
      permissions: await this.held(userId, requested, organizationId),
      subjects: [caller, ...(actor ? [actor] : [])].flatMap(subjectsOf),
      // Rounded down: the guard keeps the view no longer.
      expires_in: Math.max(0, Math.floor((expiresAt - this.clock.now()) / 1_000)),
    };
  }

  private async within({ userId, loginMethod }: Caller, organizationId: string): Promise<CheckedOrganizationDto> {
    return {
      member: await this.organizations.isMember(userId, organizationId),
      open: await this.organizations.isOpenTo(userId, organizationId),
      login_accepted: await this.organizations.acceptsLogin(userId, organizationId, loginMethod),
      enrolment_due: await this.secondFactors.isEnrolmentDue(userId, organizationId),
    };
  }

  private async held(
    userId: string,
    requested: readonly RequestedPermission[],
    organizationId: string | undefined,
  ): Promise<string[]> {
    const results = await allOf(requested.map(({ code }) => this.permissions.allows(userId, code, organizationId)));
    return requested.flatMap(({ text }, index) => (results[index] ? text : []));
  }
}

/** A change of the actor or of the actor's session concerns the session, too. */
const subjectsOf = ({ userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>): string[] => [
  subjectOf('session', sessionId),
  subjectOf('user', userId),
];

function readPermissions(scope: string, texts: readonly string[]): RequestedPermission[] {
  const read = texts.map((text) => ({ text, code: parsePermissionCode(text, scope) }));
  const fields = read.flatMap(({ code }, index): FieldProblem[] => {
    if (code?.scope === scope) return [];
    return [{ field: `permissions[${index}]`, code: code ? 'scope_disagrees' : 'permission' }];
  });
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  return read.flatMap(({ text, code }) => (code ? { text, code } : []));
}
