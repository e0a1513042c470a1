import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  accessErrors,
  AccessPolicy,
  PRE_VALIDATION_GUARDS,
  ALLOWED_DURING,
  ALLOWED_WHILE_ACTING,
  ALLOWED_CLIENTS,
  PendingDuty,
  POLICY,
  RECENT_LOGIN,
  RecentFactors,
} from '../../../platform/access';
import { isOAuthController } from '../../../platform/http';
import { isSafeMethod } from '../../../platform/context';
import { platformErrors, ProblemDefinition } from '../../../platform/errors';
import { PROBLEMS } from '../../../platform/http/problems';
import { sessionErrors } from '../../../session';
import { Controller, Handler, RouteHandlersService } from './route-handlers.service';

/** The handler and its controller, in order of precedence. */
type Targets = (Handler | Controller)[];

const everywhere = [
  platformErrors.validationFailed,
  platformErrors.hostRejected,
  platformErrors.internalError,
  platformErrors.unavailable,
];
const signedIn = [platformErrors.unauthenticated, sessionErrors.tokenExpired, sessionErrors.sessionRevoked];
const withBody = [platformErrors.malformedJson, platformErrors.payloadTooLarge, platformErrors.unsupportedMediaType];

/** The errors that a route can return: the declared ones, and those of its policy, method and body. */
@Injectable()
export class RouteProblemsService {
  constructor(
    private readonly handlers: RouteHandlersService,
    private readonly reflector: Reflector,
  ) {}

  /**
   * Whether OAuth clients may call the route.
   * @param operationId as in `of`
   */
  isAllowClients(operationId: string): boolean {
    return this.reflector.get<unknown>(ALLOWED_CLIENTS, this.handlers.find(operationId).handler) !== undefined;
  }

  /** @param operationId `<Controller>_<method>` */
  list(operationId: string, verb: string, hasBody: boolean): ProblemDefinition[] {
    const { controller, handler } = this.handlers.find(operationId);
    const named = this.reflector.get<ProblemDefinition[] | undefined>(PROBLEMS, handler) ?? [];
    // An OAuth route declares the errors of its RFC completely.
    if (isOAuthController(controller)) return named;
    const isSafe = isSafeMethod(verb.toUpperCase());
    const guards = this.reflector.get<Controller[] | undefined>(PRE_VALIDATION_GUARDS, handler) ?? [];
    const all = [
      ...everywhere,
      ...this.fromPolicy([handler, controller], isSafe),
      ...guards.flatMap((guard) => this.fromPolicy([guard], isSafe)),
      ...(isSafe ? [] : [platformErrors.csrfRejected]),
      ...(hasBody ? withBody : []),
      ...named,
    ];
    return [...new Map(all.map((problem) => [problem.code, problem])).values()];
  }

  /** The errors of the access guard. */
  private fromPolicy(targets: Targets, isSafe: boolean): ProblemDefinition[] {
    const policy = this.declared<AccessPolicy>(POLICY, targets);
    if (!policy || policy.kind === 'public') return [];
    const isAdministration = policy.kind === 'permission';
    const allowedClients = this.declared<readonly string[]>(ALLOWED_CLIENTS, targets) ?? [];
    return [
      ...signedIn,
      ...this.ofUnfinished(targets),
      ...this.ofActing(targets, isSafe),
      ...(isAdministration || allowedClients.length > 0 ? [platformErrors.permissionDenied] : []),
      ...(isAdministration && !isSafe ? [platformErrors.rateLimited] : []),
    ];
  }

  /** Errors for a user who must first change the password, accept the terms, give attributes, set up a second factor or log in again. */
  private ofUnfinished(targets: Targets): ProblemDefinition[] {
    const recentFactors = this.declared<RecentFactors>(RECENT_LOGIN, targets);
    const duties = this.declared<readonly PendingDuty[]>(ALLOWED_DURING, targets) ?? [];
    const isDuringEnrolment = duties.includes('mfa_enrolment');
    const isForUnenrolled = isDuringEnrolment && recentFactors !== 2;
    return [
      ...(duties.includes('password_change') ? [] : [accessErrors.passwordChangeRequired]),
      ...(duties.includes('terms') ? [] : [accessErrors.termsRequired]),
      ...(duties.includes('attributes') ? [] : [accessErrors.attributesRequired]),
      ...(isForUnenrolled ? [] : [accessErrors.mfaEnrolmentRequired]),
      ...(isDuringEnrolment ? [] : [accessErrors.loginMethodNotAccepted]),
      ...(recentFactors === undefined ? [] : [platformErrors.reauthenticationRequired]),
    ];
  }

  /** The error of a user who acts as another. */
  private ofActing(targets: Targets, isSafe: boolean): ProblemDefinition[] {
    const isAllowed = isSafe || this.declared<boolean>(ALLOWED_WHILE_ACTING, targets) === true;
    const isOpen = isAllowed && this.declared<RecentFactors>(RECENT_LOGIN, targets) === undefined;
    return isOpen ? [] : [accessErrors.actingRestricted];
  }

  private declared<T>(key: symbol, targets: Targets): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, targets);
  }
}
