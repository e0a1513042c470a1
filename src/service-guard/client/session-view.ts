import { Caller } from '../../platform/context';
import { platformErrors, ProblemError } from '../../platform/errors';
import { dutyProblem, isPendingDuty, SecondFactorState } from '../../platform/access/policy';
import { isLanguage } from './languages';
import { guardErrors } from './guard.errors';

/** The response of `POST /api/guard/check`. */
export interface CheckResponse {
  readonly active: boolean;
  readonly code?: string;
  readonly user?: { readonly id: string; readonly username: string; readonly locale: string | null };
  readonly session?: {
    readonly id: string;
    readonly amr: readonly string[];
    readonly recent_login: boolean;
    readonly recent_second_factor: boolean;
  };
  /** The user who acts as this one. */
  readonly actor?: { readonly id: string; readonly username: string; readonly session_id: string };
  readonly second_factor?: { readonly offered: boolean; readonly enrolled: boolean };
  readonly pending?: string | null;
  /** Of the organization that the check named. */
  readonly organization?: {
    readonly member: boolean;
    readonly open: boolean;
    readonly login_accepted: boolean;
    readonly enrolment_due: boolean;
  };
  readonly permissions?: readonly string[];
  readonly subjects?: readonly string[];
  readonly expires_in?: number;
}

/** The user in the organization that the request names. */
export interface OrganizationView {
  readonly isMember: boolean;
  /** Whether the header may name it. */
  readonly isOpen: boolean;
  /** The organization accepts the way in which the session began. */
  readonly isLoginAccepted: boolean;
  /** The user must set up a second factor before acting there. */
  readonly isEnrolmentDue: boolean;
}

/** A live session, as Castellan described it. */
export interface LiveSession {
  readonly caller: Caller;
  /** Undefined if the request names none. */
  readonly organization: OrganizationView | undefined;
  /** Those of the service's permissions that the user holds, there too, as the routes write them. */
  readonly permissions: ReadonlySet<string>;
  readonly secondFactor: SecondFactorState;
  /** The error of a user who must first do something else at Castellan. */
  readonly unfinished: (() => ProblemError) | undefined;
}

export interface SessionView {
  /** Undefined: the request is not authenticated. */
  readonly live: LiveSession | undefined;
  /** Creates the error of a request without a live session. */
  readonly rejection: () => ProblemError;
  /** Names of session and user on the change stream. */
  readonly subjects: readonly string[];
  /** Seconds until the token expires. */
  readonly expiresIn: number;
}

const REJECTIONS: Readonly<Record<string, () => ProblemError>> = {
  token_expired: () => guardErrors.tokenExpired(),
  session_revoked: () => guardErrors.sessionRevoked(),
};
const unauthenticated = (): ProblemError => platformErrors.unauthenticated();
/** A later version of Castellan may know more duties. */
const unfinishedBy = (duty: string): ProblemError =>
  isPendingDuty(duty) ? dutyProblem(duty) : platformErrors.permissionDenied();

/** Reads the response. An incomplete one admits no request. */
export function sessionView(response: CheckResponse): SessionView {
  const { code = '', subjects = [], expires_in: expiresIn = 0 } = response;
  return { live: liveSession(response), rejection: REJECTIONS[code] ?? unauthenticated, subjects, expiresIn };
}

const actorOf = ({ actor }: CheckResponse): Pick<Caller, 'actor'> =>
  actor ? { actor: { userId: actor.id, username: actor.username, sessionId: actor.session_id } } : {};

const organizationIn = ({ organization: found }: CheckResponse): OrganizationView | undefined =>
  found && {
    isMember: found.member,
    isOpen: found.open,
    isLoginAccepted: found.login_accepted,
    isEnrolmentDue: found.enrolment_due,
  };

function liveSession(response: CheckResponse): LiveSession | undefined {
  const { active, user, session, second_factor: secondFactor, pending, permissions } = response;
  if (!active || !user || !session || !secondFactor || !permissions || pending === undefined) return undefined;
  return {
    caller: {
      userId: user.id,
      username: user.username,
      sessionId: session.id,
      locale: isLanguage(user.locale) ? user.locale : null,
      mustChangePassword: pending === 'password_change',
      mustAcceptTerms: pending === 'terms',
      mustGiveAttributes: pending === 'attributes',
      recentLogin: session.recent_login,
      recentSecondFactor: session.recent_second_factor,
      amr: session.amr,
      ...actorOf(response),
    },
    organization: organizationIn(response),
    permissions: new Set(permissions),
    secondFactor: { isOffered: secondFactor.offered, isEnrolled: secondFactor.enrolled },
    unfinished: pending === null ? undefined : () => unfinishedBy(pending),
  };
}
