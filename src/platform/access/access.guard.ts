import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Caller, contextOf } from '../context';
import { platformErrors } from '../errors';
import { accessErrors } from './access.errors';
import { AccessPorts } from './access.ports';
import { AccessPolicy, DURING_PASSWORD_CHANGE, POLICY, RECENT_LOGIN } from './policy';

/** Denies by default: a route that declares no policy is a defect, not a public route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly ports: AccessPorts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = this.declared<AccessPolicy>(context, POLICY);
    if (!policy) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access policy`);
    if (policy.kind === 'public') return true;

    const request = context.switchToHttp().getRequest<object>();
    const caller = await this.identify(request);
    if (caller.mustChangePassword && !this.declared<boolean>(context, DURING_PASSWORD_CHANGE)) {
      throw accessErrors.passwordChangeRequired();
    }
    await this.requirePermission(policy, caller);
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

  private async requirePermission(policy: AccessPolicy, caller: Caller): Promise<void> {
    if (policy.kind !== 'permission') return;
    const { permissions } = this.ports;
    if (await permissions.isGranted(caller.userId, policy.permission)) return;
    throw platformErrors.permissionDenied({ params: permissions.describe(policy.permission) });
  }

  private declared<T>(context: ExecutionContext, key: symbol): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [context.getHandler(), context.getClass()]);
  }
}
