import { ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AccessGuard } from './access.guard';
import { ClientAuthenticatorService } from './client-authenticator.service';
import { OrganizationRule } from './policy/policy';
import { RecentLoginService } from './recent-login.service';
import { RoutePermissionsService } from './route-permissions.service';
import { UserAdmissionService } from './user-admission.service';
import { WriteLimit } from './access.ports';
import { findContext, requestIn } from '../context';
import { andThen, MaybePromise, isJsonObject } from '../util';
import { ForeignRequestsService } from '../http';

const isText = (value: unknown): value is string => typeof value === 'string';

/** What an ownership rule decides by: the parameters of the path, the arguments of a resolver, or the message. */
function parametersIn(context: ExecutionContext, request: FastifyRequest): object {
  const type = context.getType<string>();
  if (type === 'http') return request.params as object;
  const given: unknown = type === 'graphql' ? context.getArgByIndex(1) : context.switchToWs().getData();
  return isJsonObject(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => isText(value))) : {};
}

/** The execution of a resolver or a message handler in the form of a route, which the access guard knows. */
function asRoute(context: ExecutionContext, request: FastifyRequest): ExecutionContext {
  const seen = Object.create(request, { params: { value: parametersIn(context, request) } }) as FastifyRequest;
  const reply = context.getType<string>() === 'http' ? context.switchToHttp().getResponse<object>() : NO_REPLY;
  const http = { getRequest: () => seen, getResponse: () => reply, getNext: () => undefined };
  return Object.create(context, { switchToHttp: { value: () => http } }) as ExecutionContext;
}

const NO_REPLY = { header: () => undefined };

/** The access guard for what is no controller of the service: plain controllers, resolvers and gateways of a host. */
@Injectable()
export class HostRouteGuard extends AccessGuard {
  constructor(
    reflector: Reflector,
    modules: ModuleRef,
    users: UserAdmissionService,
    clients: ClientAuthenticatorService,
    permissions: RoutePermissionsService,
    recentLogins: RecentLoginService,
    writeLimit: WriteLimit,
    private readonly requests: ForeignRequestsService,
  ) {
    super(reflector, modules, users, clients, permissions, recentLogins, writeLimit);
  }

  /** On other routes of a host, the header may have another meaning. */
  protected override readsHeader(rule: OrganizationRule | undefined): boolean {
    return rule !== undefined;
  }

  override canActivate(context: ExecutionContext): MaybePromise<boolean> {
    const given = requestIn(context);
    const before = findContext(given)?.caller;
    return andThen(this.requests.prepare(given), (request) =>
      andThen(super.canActivate(asRoute(context, request)), (passes) => {
        this.requests.hold(given, before);
        return passes;
      }),
    );
  }
}
