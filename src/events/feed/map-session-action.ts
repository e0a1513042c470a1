import { OrderedAuditEvent } from '../../audit';
import { ActMapper, MappedEvent, stateOf, Subject, targetOf, textOf, textsOf } from './mapped-event';

type Reason = 'logout' | 'revoked' | 'limit' | 'refresh_reused';

function ended(subject: Subject | undefined, sessionIds: readonly string[], reason: Reason): MappedEvent[] {
  return sessionIds.length === 0 ? [] : [{ type: 'session.ended', subject, data: { session_ids: sessionIds, reason } }];
}

/** Acts on one session, whose user is in the state. */
const one =
  (reason: Reason): ActMapper =>
  (act) => {
    const userId = textOf(stateOf(act.before)['user_id']) ?? textOf(stateOf(act.after)['user_id']);
    return ended(userId === undefined ? undefined : { type: 'user', id: userId }, idsOf(act), reason);
  };

/** The session is in the state. Earlier events have it as the target, and the user in the state. */
const reused: ActMapper = (act) => {
  const id = textOf(stateOf(act.after)['session_id']);
  return id === undefined ? one('refresh_reused')(act) : ended(targetOf(act, 'user'), [id], 'refresh_reused');
};

const idsOf = ({ targetId }: OrderedAuditEvent): string[] => (targetId === null ? [] : [targetId]);

/** Acts on several sessions of a user. */
const several =
  (reason: Reason): ActMapper =>
  (act) =>
    ended(targetOf(act, 'user'), textsOf(stateOf(act.after)['session_ids']), reason);

/** The session of the state. */
const acting =
  (type: string, stateIn: (act: OrderedAuditEvent) => object | null): ActMapper =>
  (act) => [
    { type, subject: targetOf(act, 'user'), data: { session_id: textOf(stateOf(stateIn(act))['session_id']) } },
  ];

export const sessionMappers: readonly (readonly [string, ActMapper])[] = [
  ['session.logout', one('logout')],
  ['session.revoke', one('revoked')],
  ['session.refresh_reused', reused],
  ['session.revoke_all', several('revoked')],
  ['session.evict', several('limit')],
  ['acting.start', acting('acting.started', ({ after }) => after)],
  ['acting.end', acting('acting.ended', ({ before }) => before)],
];
