import { Injectable } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import {
  accessErrors,
  AccessPolicy,
  DURING_PASSWORD_CHANGE,
  FOR_MACHINES,
  isProtocolController,
  POLICY,
  RECENT_LOGIN,
} from '../../platform/access';
import { isSafeMethod } from '../../platform/context';
import { platformErrors, ProblemDefinition } from '../../platform/errors';
import { PROBLEMS } from '../../platform/problems';
import { sessionErrors } from '../../session';

type Handler = (...args: unknown[]) => unknown;
type Controller = new (...args: never[]) => object;

const everywhere = [platformErrors.validationFailed, platformErrors.internalError, platformErrors.unavailable];
const signedIn = [platformErrors.unauthenticated, sessionErrors.tokenExpired, sessionErrors.sessionRevoked];
const withBody = [platformErrors.malformedJson, platformErrors.payloadTooLarge, platformErrors.unsupportedMediaType];

/** Which errors a route can give: those it names, and those that follow from its policy, its verb and its input. */
@Injectable()
export class RouteProblems {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** Whether an application may call the route for itself. @param operationId as in `of` */
  isForMachines(operationId: string): boolean {
    return this.reflector.get<unknown>(FOR_MACHINES, this.find(operationId).handler) !== undefined;
  }

  /** @param operationId `<Controller>_<method>` */
  of(operationId: string, verb: string, hasBody: boolean): ProblemDefinition[] {
    const { controller, handler } = this.find(operationId);
    const named = this.reflector.get<ProblemDefinition[] | undefined>(PROBLEMS, handler) ?? [];
    // Its RFC says how such a route refuses, and the route says so itself.
    if (isProtocolController(controller)) return named;
    const all = [
      ...everywhere,
      ...this.fromPolicy([handler, controller]),
      ...(isSafeMethod(verb.toUpperCase()) ? [] : [platformErrors.csrfRejected]),
      ...(hasBody ? withBody : []),
      ...named,
    ];
    return [...new Map(all.map((problem) => [problem.code, problem])).values()];
  }

  private fromPolicy(targets: [Handler, Controller]): ProblemDefinition[] {
    const declared = <T>(key: symbol): T | undefined => this.reflector.getAllAndOverride<T | undefined>(key, targets);
    const policy = declared<AccessPolicy>(POLICY);
    if (!policy || policy.kind === 'public') return [];
    return [
      ...signedIn,
      ...(declared<boolean>(DURING_PASSWORD_CHANGE) ? [] : [accessErrors.passwordChangeRequired]),
      ...(policy.kind === 'permission' || declared<readonly string[]>(FOR_MACHINES)?.length
        ? [platformErrors.permissionDenied]
        : []),
      ...(declared<boolean>(RECENT_LOGIN) ? [platformErrors.reauthenticationRequired] : []),
    ];
  }

  private find(operationId: string): { controller: Controller; handler: Handler } {
    const [name = '', method = ''] = operationId.split('_');
    const controller = this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as Controller | null)
      .find((metatype) => metatype?.name === name);
    const handler = (controller?.prototype as Record<string, Handler> | undefined)?.[method];
    if (!controller || !handler) throw new Error(`No handler for the operation ${operationId}`);
    return { controller, handler };
  }
}
