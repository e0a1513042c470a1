import { OrderedAuditEvent } from '../../audit';
import { presentMembers } from '../../platform/util';
import { MappedEvent, stateOf, Subject, targetOf, textOf, textsOf } from './mapped-event';

export function mapLogin(act: OrderedAuditEvent): MappedEvent[] {
  const { method, amr } = stateOf(act.after);
  const factors = amr === undefined ? undefined : textsOf(amr);
  const data = presentMembers({ session_id: act.sessionId ?? undefined, method: textOf(method), factors });
  return [{ type: 'login.succeeded', subject: userOf(act), data }];
}

/** A rejected login with own credentials, or with those of a login provider. */
export function mapFailedLogin(act: OrderedAuditEvent): MappedEvent[] {
  const { method, code, mode } = stateOf(act.after);
  if (act.action === 'login') {
    return [
      {
        type: 'login.failed',
        subject: userOf(act),
        data: presentMembers({ method: textOf(method), code: textOf(code) }),
      },
    ];
  }
  if (act.action !== 'oauth.callback' || mode === 'bind') return [];
  const data = presentMembers({ method: 'oauth', code: textOf(code), provider: act.targetLabel ?? undefined });
  return [{ type: 'login.failed', data }];
}

/** Any rejected secret may have locked the account. */
export function mapLock(act: OrderedAuditEvent): MappedEvent[] {
  const user = userOf(act);
  return user && stateOf(act.after)['locked'] === true ? [{ type: 'user.locked', subject: user }] : [];
}

const userOf = (act: OrderedAuditEvent): Subject | undefined =>
  act.targetType === 'user' ? targetOf(act, 'user') : undefined;
