import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { platformErrors } from '../../platform/errors';
import { andThen, MaybePromise } from '../../platform/util/maybe-promise';
import {
  accessErrors,
  AccessPolicy,
  ALLOWED_WHILE_ACTING,
  IN_ORGANIZATION,
  isRead,
  OrganizationRule,
  OWNERSHIP,
  OwnershipRule,
  OwnershipRuleClass,
  POLICY,
  RECENT_LOGIN,
  RecentFactors,
  rejectWhileActing,
  requireRecentFactors,
  RouteMemory,
} from '../../platform/access/policy';
import { isId } from '../../platform/util';
import { setCaller, setOrganization } from './callers';
import { GuardConnectionService } from './guard-connection.service';
import { GUARD_MARK } from './guarded-routes.service';
import { REMOTE_IDENTITY_OPTIONS } from './remote-identity.options';
import type { RemoteIdentityOptions } from './remote-identity.options';
import { RemoteSessionsService } from './remote-sessions.service';
import {
  Credentials,
  credentialsOf,
  GuardedRequest,
  NamedOrganizations,
  organizationsOf,
  requireOwnPage,
} from './request-credentials';
import { LiveSession, OrganizationView, SessionView } from './session-view';

interface RouteRules {
  readonly policy: AccessPolicy;
  readonly ownership: OwnershipRule | undefined;
  readonly recentFactors: RecentFactors | undefined;
  readonly allowedWhileActing: boolean;
  readonly organization: OrganizationRule | undefined;
}

/** What the declaration of the route and the request say. */
interface Admission extends RouteRules {
  readonly isReading: boolean;
  readonly credentials: Credentials;
  readonly named: NamedOrganizations;
  /** Where the permissions are checked: that of the path, or else of the header. Any text. */
  readonly organizationId: string | undefined;
}

/**
 * The access guard of a service without Castellan's database. Denies by default: a route without an access policy is a
 * programming error, and no request is admitted while Castellan cannot be asked.
 */
@Injectable()
export class RemoteAccessGuard implements CanActivate {
  static readonly [GUARD_MARK] = true;

  private readonly rules = new RouteMemory((context) => this.readRules(context));

  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly connection: GuardConnectionService,
    private readonly sessions: RemoteSessionsService,
    @Inject(REMOTE_IDENTITY_OPTIONS) private readonly options: RemoteIdentityOptions,
  ) {}

  /** Returns synchronously when the session is in memory, as on most requests. */
  canActivate(context: ExecutionContext): MaybePromise<boolean> {
    const rules = this.rules.get(context);
    if (rules.policy.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const credentials = credentialsOf(request, this.connection.accessCookie());
    if (credentials.kind === 'cookie') requireOwnPage(request, this.options.allowedOrigins ?? []);
    const isReading = isRead(context.getType<string>(), request.method);
    const named = organizationsOf(request, rules.organization);
    const organizationId = named.inPath ?? named.inHeader;
    return andThen(this.sessions.get(credentials, isId(organizationId) ? organizationId : undefined), (view) =>
      this.admit(request, { ...rules, isReading, credentials, named, organizationId }, view),
    );
  }

  private admit(
    request: GuardedRequest,
    admission: Admission,
    { live, rejection }: SessionView,
  ): MaybePromise<boolean> {
    if (!live) throw rejection();
    setCaller(request, live.caller);
    if (live.unfinished) throw live.unfinished();
    rejectWhileActing(live.caller, admission, admission.isReading);
    return andThen(this.requireHeader(admission, live), () => this.admitThere(request, admission, live));
  }

  /** A path is checked with the permissions, but a header beside it may name an organization of the caller only. */
  private requireHeader({ credentials, named, organizationId }: Admission, live: LiveSession): MaybePromise<void> {
    const { inHeader } = named;
    if (inHeader === undefined) return;
    if (!isId(inHeader)) throw platformErrors.notFound();
    const found =
      inHeader === organizationId
        ? live.organization
        : andThen(this.sessions.get(credentials, inHeader), (view) => view.live?.organization);
    return andThen(found, (organization) => {
      if (!organization?.isOpen) throw platformErrors.notFound();
    });
  }

  private admitThere(request: GuardedRequest, admission: Admission, live: LiveSession): MaybePromise<boolean> {
    requireOrganization(admission, live.organization);
    return andThen(this.requireAccess(request, admission, live), (isOwner) => {
      const { recentFactors, organizationId } = admission;
      // The owner's permissions are not checked there, so only a membership shows that the organization exists.
      const isChecked = !isOwner || live.organization?.isMember === true;
      if (organizationId !== undefined && isChecked) setOrganization(request, organizationId);
      if (recentFactors === undefined) return true;
      return andThen(
        requireRecentFactors(live.caller, recentFactors, () => live.secondFactor),
        () => true,
      );
    });
  }

  /** Returns whether the caller is admitted as the owner. */
  private requireAccess(
    request: GuardedRequest,
    { policy, ownership, organization }: RouteRules,
    live: LiveSession,
  ): MaybePromise<boolean> {
    if (policy.kind !== 'permission') return false;
    return andThen(ownership?.isOwner(live.caller, request.params) ?? false, (isOwner) => {
      if (!isOwner) this.requirePermissions(policy.permissions, live, organization);
      return isOwner;
    });
  }

  private requirePermissions(
    wanted: readonly string[],
    { permissions, organization }: LiveSession,
    rule: OrganizationRule | undefined,
  ): void {
    const missing = wanted.find((permission) => !permissions.has(permission));
    if (missing === undefined) return;
    // Others than members must not learn which organizations exist.
    if (rule?.parameter !== undefined && !organization?.isMember) throw platformErrors.notFound();
    throw platformErrors.permissionDenied({ params: this.connection.describe(missing) });
  }

  private readRules(context: ExecutionContext): RouteRules {
    const policy = this.declared<AccessPolicy>(context, POLICY);
    if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access policy`);
    const ownership = this.declared<OwnershipRuleClass>(context, OWNERSHIP);
    return {
      policy,
      ownership: ownership && this.modules.get(ownership, { strict: false }),
      recentFactors: this.declared<RecentFactors>(context, RECENT_LOGIN),
      allowedWhileActing: this.declared<boolean>(context, ALLOWED_WHILE_ACTING) ?? false,
      organization: this.declared<OrganizationRule>(context, IN_ORGANIZATION),
    };
  }

  private declared<T>(context: ExecutionContext, key: symbol): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}

/** The organization must be able to exist, and admit the session and its factors. */
function requireOrganization({ organizationId }: Admission, found: OrganizationView | undefined): void {
  if (organizationId === undefined) return;
  if (!isId(organizationId)) throw platformErrors.notFound();
  if (found && !found.isLoginAccepted) throw accessErrors.loginMethodNotAccepted();
  if (found?.isEnrolmentDue) throw accessErrors.mfaEnrolmentRequired();
}
