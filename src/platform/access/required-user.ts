import { Caller, contextOf, introduce } from '../context';
import { accessErrors } from './access.errors';
import { AccessPorts } from './access.ports';

/** What a route leaves open to those who must finish something first. */
export interface OpenDuring {
  readonly duringPasswordChange?: boolean;
  readonly duringEnrolment?: boolean;
}

/**
 * Who makes the request, which is known from here on. Errors: those of `CallerAuthenticator`, `password_change_required`,
 * `mfa_enrolment_required`.
 */
export async function requireUser(ports: AccessPorts, request: object, open: OpenDuring = {}): Promise<Caller> {
  const caller = await ports.authenticator.authenticate(request);
  introduce(contextOf(request), caller);
  await refuseUnfinished(ports, caller, open);
  return caller;
}

/** First the password, then the second factor: the routes to the one are open while the other is due, too. */
async function refuseUnfinished({ secondFactors }: AccessPorts, caller: Caller, open: OpenDuring): Promise<void> {
  if (caller.mustChangePassword) {
    if (!open.duringPasswordChange) throw accessErrors.passwordChangeRequired();
    return;
  }
  if (open.duringEnrolment) return;
  if (await secondFactors.isEnrolmentDue(caller.userId)) throw accessErrors.mfaEnrolmentRequired();
}
