import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { Caller, contextOf, isSafeMethod } from '../context';
import { platformErrors } from '../errors';
import { accessErrors } from './access.errors';
import { AccessPorts } from './access.ports';
import { OWNERSHIP, OwnershipRule, OwnershipRuleClass } from './ownership';
import { AccessPolicy, DURING_PASSWORD_CHANGE, POLICY, RECENT_LOGIN } from './policy';

interface GuardedRequest {
  readonly method: string;
}

/** Denies by default: a route that declares no policy is a defect, not a public route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly ports: AccessPorts,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = this.declared<AccessPolicy>(context, POLICY);
    if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access policy`);
    if (policy.kind === 'public') return true;

    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const caller = await this.identify(request);
    if (caller.mustChangePassword && !this.declared<boolean>(context, DURING_PASSWORD_CHANGE)) {
      throw accessErrors.passwordChangeRequired();
    }
    if (policy.kind === 'permission' && !(await this.isOwner(context, caller))) {
      await this.requirePermissions(policy.permissions, caller);
      if (!isSafeMethod(request.method)) await this.ports.writeLimit.count(caller.userId);
    }
    if (this.declared<boolean>(context, RECENT_LOGIN) && !caller.recentLogin) {
      throw platformErrors.reauthenticationRequired();
    }
    return true;
  }

  private async identify(request: object): Promise<Caller> {
    const caller = await this.ports.authenticator.authenticate(request);
    const context = contextOf(request);
    context.caller = caller;
    if (caller.locale && !context.languageIsExplicit) context.language = caller.locale;
    return caller;
  }

  /** Asked before any permission; who owns nothing here may still hold the permission. */
  private async isOwner(context: ExecutionContext, caller: Caller): Promise<boolean> {
    const rule = this.declared<OwnershipRuleClass>(context, OWNERSHIP);
    if (!rule) return false;
    const request = context.switchToHttp().getRequest<{ params: Readonly<Record<string, string>> }>();
    return this.modules.get<OwnershipRule>(rule, { strict: false }).isOwner(caller, request.params);
  }

  private async requirePermissions(wanted: readonly string[], { userId }: Caller): Promise<void> {
    const { permissions } = this.ports;
    for (const permission of wanted) {
      if (await permissions.isGranted(userId, permission)) continue;
      throw platformErrors.permissionDenied({ params: permissions.describe(permission) });
    }
  }

  private declared<T>(context: ExecutionContext, key: symbol): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}
