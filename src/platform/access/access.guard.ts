import { CanActivate, ExecutionContext, Injectable, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { Caller, contextOf, isSafeMethod } from '../context';
import { andThen, MaybePromise } from '../util';
import { WriteLimit } from './access.ports';
import { challenge, ClientAuthenticatorService } from './client-authenticator.service';
import {
  OWNERSHIP,
  OwnershipRule,
  OwnershipRuleClass,
  AccessPolicy,
  ALLOWED_DURING,
  ALLOWED_WHILE_ACTING,
  IN_ORGANIZATION,
  isRead,
  OrganizationRule,
  PRE_VALIDATION_GUARDS,
  ALLOWED_CLIENTS,
  PendingDuty,
  POLICY,
  RECENT_LOGIN,
  RecentFactors,
  rejectWhileActing,
  RouteMemory,
} from './policy';
import { RecentLoginService } from './recent-login.service';
import { RoutePermissionsService } from './route-permissions.service';
import { UserAdmissionService } from './user-admission.service';

/**
 * Metadata of a route, with its rule and guards resolved. It never changes, so it is read once, on the first request.
 */
interface RouteRules {
  readonly policy: AccessPolicy | undefined;
  readonly allowedClients: readonly string[] | undefined;
  readonly duringPasswordChange: boolean;
  readonly duringTerms: boolean;
  readonly duringAttributes: boolean;
  readonly duringEnrolment: boolean;
  readonly allowedWhileActing: boolean;
  readonly recentFactors: RecentFactors | undefined;
  readonly ownership: OwnershipRule | undefined;
  readonly organization: OrganizationRule | undefined;
  readonly preValidationGuards: readonly CanActivate[];
}

interface GuardedRequest {
  readonly method: string;
  readonly headers: { readonly authorization?: string };
}

interface GuardedReply {
  header(name: string, value: string): unknown;
}

/** Denies by default: a route without an access policy is a programming error, not a public route. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly rules = new RouteMemory((context) => this.readRules(context));

  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly users: UserAdmissionService,
    private readonly clients: ClientAuthenticatorService,
    private readonly permissions: RoutePermissionsService,
    private readonly recentLogins: RecentLoginService,
    private readonly writeLimit: WriteLimit,
  ) {}

  /** Returns synchronously when everything is cached, as on most requests. */
  canActivate(context: ExecutionContext): MaybePromise<boolean> {
    const rules = this.rules.get(context);
    const { policy } = rules;
    if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access policy`);
    return andThen(this.admit(context, policy, rules), () => this.passesGuards(context, rules.preValidationGuards));
  }

  private admit(context: ExecutionContext, policy: AccessPolicy, rules: RouteRules): MaybePromise<void> {
    if (policy.kind === 'public') return;
    const { allowedClients } = rules;
    return allowedClients
      ? this.admitEither(context, policy, rules, allowedClients)
      : this.admitUser(context, policy, rules);
  }

  private passesGuards(context: ExecutionContext, guards: readonly CanActivate[], index = 0): MaybePromise<boolean> {
    const guard = guards[index];
    if (!guard) return true;
    return andThen(
      guard.canActivate(context),
      // Nest allows a guard to return an observable; ours must return a boolean, so an observable denies access.
      (passes) => passes === true && this.passesGuards(context, guards, index + 1),
    );
  }

  private async admitEither(
    context: ExecutionContext,
    policy: AccessPolicy,
    rules: RouteRules,
    wanted: readonly string[],
  ): Promise<void> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const reply = context.switchToHttp().getResponse<GuardedReply>();
    try {
      const client = await this.clients.admit(request, reply, wanted);
      if (!client) await this.admitUser(context, policy, rules);
      else await this.admitClient(request, policy, rules, client.id);
    } catch (error) {
      challenge(error, request, reply);
      throw error;
    }
  }

  private async admitClient(
    request: GuardedRequest,
    policy: AccessPolicy,
    rules: RouteRules,
    id: string,
  ): Promise<void> {
    await this.enterOrganization(request, rules);
    if (policy.kind === 'permission') await this.countWrite(request, id);
  }

  private admitUser(context: ExecutionContext, policy: AccessPolicy, rules: RouteRules): MaybePromise<void> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    return andThen(this.users.require(request, rules), (caller) => {
      if (caller.actor) rejectWhileActing(caller, rules, isRead(context.getType<string>(), request.method));
      return andThen(this.enterOrganization(request, rules, caller), () =>
        andThen(this.requireFactorWithin(context, rules, caller), () =>
          andThen(this.requireAccess(context, policy, rules, caller), () => this.requireRecentLogin(rules, caller)),
        ),
      );
    });
  }

  private enterOrganization(
    request: GuardedRequest,
    { organization }: RouteRules,
    caller?: Caller,
  ): MaybePromise<void> {
    return this.readsHeader(organization) ? this.permissions.enter(request, caller) : undefined;
  }

  /** Whether a request to the route may name its organization by the header. */
  protected readsHeader(_rule: OrganizationRule | undefined): boolean {
    return true;
  }

  /** Before ownership, because members see their organization without a permission. */
  private requireFactorWithin(context: ExecutionContext, rules: RouteRules, caller: Caller): MaybePromise<void> {
    const organizationId = this.organizationOf(context, rules.organization);
    return organizationId === undefined ? undefined : this.users.requireWithin(caller, organizationId, rules);
  }

  private organizationOf(context: ExecutionContext, rule: OrganizationRule | undefined): string | undefined {
    const request = context.switchToHttp().getRequest<{ params: Readonly<Record<string, string>> }>();
    if (rule?.parameter === undefined) return contextOf(request).organizationId;
    return request.params[rule.parameter] ?? '';
  }

  private requireAccess(
    context: ExecutionContext,
    policy: AccessPolicy,
    { ownership, organization }: RouteRules,
    caller: Caller,
  ): MaybePromise<void> {
    if (policy.kind !== 'permission') return;
    return andThen(this.isOwner(ownership, context, caller), (isOwner) => {
      if (isOwner) return;
      return andThen(this.requirePermissions(context, policy.permissions, caller, organization), () =>
        this.countWrite(context.switchToHttp().getRequest<GuardedRequest>(), caller.userId),
      );
    });
  }

  private requireRecentLogin({ recentFactors }: RouteRules, caller: Caller): MaybePromise<void> {
    return recentFactors === undefined ? undefined : this.recentLogins.require(caller, recentFactors);
  }

  private countWrite({ method }: GuardedRequest, subject: string): MaybePromise<void> {
    return isSafeMethod(method) ? undefined : this.writeLimit.count(subject);
  }

  /** Checked before permissions: a user who is not the owner may still hold the permission. */
  private isOwner(
    ownership: OwnershipRule | undefined,
    context: ExecutionContext,
    caller: Caller,
  ): MaybePromise<boolean> {
    if (!ownership) return false;
    const request = context.switchToHttp().getRequest<{ params: Readonly<Record<string, string>> }>();
    return ownership.isOwner(caller, request.params);
  }

  private requirePermissions(
    context: ExecutionContext,
    wanted: readonly string[],
    { userId }: Caller,
    organization: OrganizationRule | undefined,
  ): MaybePromise<void> {
    if (!organization) return this.permissions.require(wanted, userId);
    const organizationId = this.organizationOf(context, organization);
    if (organization.parameter === undefined) return this.permissions.require(wanted, userId, organizationId);
    return this.permissions.requireWithin(organizationId ?? '', wanted, userId, context.switchToHttp().getRequest());
  }

  private readRules(context: ExecutionContext): RouteRules {
    const duties = this.declared<readonly PendingDuty[]>(context, ALLOWED_DURING) ?? [];
    const ownership = this.declared<OwnershipRuleClass>(context, OWNERSHIP);
    const preValidationGuards = this.declared<readonly Type<CanActivate>[]>(context, PRE_VALIDATION_GUARDS) ?? [];
    return {
      policy: this.declared<AccessPolicy>(context, POLICY),
      allowedClients: this.reflector.get<readonly string[] | undefined>(ALLOWED_CLIENTS, context.getHandler()),
      duringPasswordChange: duties.includes('password_change'),
      duringTerms: duties.includes('terms'),
      duringAttributes: duties.includes('attributes'),
      duringEnrolment: duties.includes('mfa_enrolment'),
      allowedWhileActing: this.declared<boolean>(context, ALLOWED_WHILE_ACTING) ?? false,
      recentFactors: this.declared<RecentFactors>(context, RECENT_LOGIN),
      ownership: ownership && this.provided(ownership),
      organization: this.declared<OrganizationRule>(context, IN_ORGANIZATION),
      preValidationGuards: preValidationGuards.map((guard) => this.provided(guard)),
    };
  }

  /** Finds a provider of any module, also of the host. `RoutePolicyValidator` has checked at startup that it exists. */
  private provided<T>(type: Type<T>): T {
    return this.modules.get(type, { strict: false });
  }

  private declared<T>(context: ExecutionContext, key: symbol): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}
