import { CanActivate, ExecutionContext, Injectable, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { Caller, contextOf, introduce, isSafeMethod } from '../context';
import { platformErrors } from '../errors';
import { accessErrors } from './access.errors';
import { AccessPorts } from './access.ports';
import { challenge, MachineEntrance } from './machine-entrance';
import { OWNERSHIP, OwnershipRule, OwnershipRuleClass } from './ownership';
import {
  AccessPolicy,
  BEFORE_FIELDS,
  DURING_ENROLMENT,
  DURING_PASSWORD_CHANGE,
  FOR_MACHINES,
  POLICY,
  RECENT_LOGIN,
  RecentFactors,
} from './policy';
import { requireUser } from './required-user';

/** What a route declares, read once: it never changes. */
interface RouteRules {
  readonly policy: AccessPolicy | undefined;
  readonly forMachines: readonly string[] | undefined;
  readonly duringPasswordChange: boolean;
  readonly duringEnrolment: boolean;
  readonly recentFactors: RecentFactors | undefined;
  readonly ownership: OwnershipRuleClass | undefined;
  readonly beforeFields: readonly Type<CanActivate>[];
  /** What is declared can not be answered from memory alone. */
  readonly needsWait: boolean;
}

interface GuardedRequest {
  readonly method: string;
  readonly headers: { readonly authorization?: string };
}

interface GuardedReply {
  header(name: string, value: string): unknown;
}

/** Denies by default: a route that declares no policy is a defect, not a public route. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly machines: MachineEntrance;
  /** By controller, since several may inherit one handler. */
  private readonly rules = new WeakMap<object, Map<object, RouteRules>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly ports: AccessPorts,
    private readonly modules: ModuleRef,
  ) {
    this.machines = new MachineEntrance(ports);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rules = this.rulesOf(context);
    const { policy } = rules;
    if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access policy`);
    return this.isAdmittedAtOnce(context, policy, rules) || this.admit(context, policy, rules);
  }

  /** Most requests ask for nothing that is not remembered; whoever is not let in here is judged by `admit`. */
  private isAdmittedAtOnce(context: ExecutionContext, policy: AccessPolicy, rules: RouteRules): boolean {
    if (rules.needsWait) return false;
    if (policy.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const caller = this.ports.authenticator.peek(request);
    if (!caller || !this.isFinished(rules, caller) || !this.isGrantedAtOnce(policy, request, caller)) return false;
    introduce(contextOf(request), caller);
    return true;
  }

  private isFinished({ duringEnrolment }: RouteRules, { mustChangePassword, userId }: Caller): boolean {
    return !mustChangePassword && (duringEnrolment || this.ports.secondFactors.peekEnrolmentDue(userId) === false);
  }

  private isGrantedAtOnce(policy: AccessPolicy, { method }: GuardedRequest, { userId }: Caller): boolean {
    if (policy.kind !== 'permission') return true;
    const { permissions } = this.ports;
    return (
      isSafeMethod(method) && policy.permissions.every((wanted) => permissions.peekGranted(userId, wanted) === true)
    );
  }

  private async admit(context: ExecutionContext, policy: AccessPolicy, rules: RouteRules): Promise<boolean> {
    const { forMachines, beforeFields } = rules;
    if (policy.kind !== 'public') {
      if (forMachines) await this.admitEither(context, policy, rules, forMachines);
      else await this.admitUser(context, policy, rules);
    }
    for (const guard of beforeFields) {
      if (!(await this.modules.get(guard, { strict: false }).canActivate(context))) return false;
    }
    return true;
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
      const machine = await this.machines.admit(request, reply, wanted);
      if (!machine) await this.admitUser(context, policy, rules);
      else if (policy.kind === 'permission') await this.countWrite(request, machine.id);
    } catch (error) {
      challenge(error, request, reply);
      throw error;
    }
  }

  private async admitUser(context: ExecutionContext, policy: AccessPolicy, rules: RouteRules): Promise<void> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const caller = await requireUser(this.ports, request, rules);
    if (policy.kind === 'permission' && !(await this.isOwner(rules, context, caller))) {
      await this.requirePermissions(policy.permissions, caller);
      await this.countWrite(request, caller.userId);
    }
    if (rules.recentFactors !== undefined) await this.requireRecent(rules.recentFactors, caller);
  }

  private async countWrite({ method }: GuardedRequest, subject: string): Promise<void> {
    if (!isSafeMethod(method)) await this.ports.writeLimit.count(subject);
  }

  private async requireRecent(factors: RecentFactors, caller: Caller): Promise<void> {
    if (!caller.recentLogin) throw platformErrors.reauthenticationRequired();
    if (factors === 1 || caller.recentSecondFactor) return;
    const { isOffered, isEnrolled } = await this.ports.secondFactors.of(caller.userId);
    if (!isOffered) return;
    if (isEnrolled) throw platformErrors.reauthenticationRequired({ params: { factors: 2 } });
    if (factors === 2) throw accessErrors.mfaEnrolmentRequired();
  }

  /** Asked before any permission; who owns nothing here may still hold the permission. */
  private async isOwner({ ownership }: RouteRules, context: ExecutionContext, caller: Caller): Promise<boolean> {
    if (!ownership) return false;
    const request = context.switchToHttp().getRequest<{ params: Readonly<Record<string, string>> }>();
    return this.modules.get<OwnershipRule>(ownership, { strict: false }).isOwner(caller, request.params);
  }

  private async requirePermissions(wanted: readonly string[], { userId }: Caller): Promise<void> {
    const { permissions } = this.ports;
    for (const permission of wanted) {
      if (await permissions.isGranted(userId, permission)) continue;
      throw platformErrors.permissionDenied({ params: permissions.describe(permission) });
    }
  }

  private rulesOf(context: ExecutionContext): RouteRules {
    const handlers = this.rules.get(context.getClass()) ?? new Map<object, RouteRules>();
    this.rules.set(context.getClass(), handlers);
    const rules = handlers.get(context.getHandler()) ?? this.readRules(context);
    handlers.set(context.getHandler(), rules);
    return rules;
  }

  private readRules(context: ExecutionContext): RouteRules {
    const rules = {
      policy: this.declared<AccessPolicy>(context, POLICY),
      forMachines: this.reflector.get<readonly string[] | undefined>(FOR_MACHINES, context.getHandler()),
      duringPasswordChange: this.declared<boolean>(context, DURING_PASSWORD_CHANGE) ?? false,
      duringEnrolment: this.declared<boolean>(context, DURING_ENROLMENT) ?? false,
      recentFactors: this.declared<RecentFactors>(context, RECENT_LOGIN),
      ownership: this.declared<OwnershipRuleClass>(context, OWNERSHIP),
      beforeFields: this.declared<readonly Type<CanActivate>[]>(context, BEFORE_FIELDS) ?? [],
    };
    const { forMachines, recentFactors, ownership, beforeFields } = rules;
    const waits = [forMachines, recentFactors, ownership, beforeFields[0]];
    return { ...rules, needsWait: waits.some((wait) => wait !== undefined) };
  }

  private declared<T>(context: ExecutionContext, key: symbol): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}
