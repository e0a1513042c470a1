import { Act, ActEvent, defineAct, defineFeedEvents, eventField, StoredAct } from '../../audit';
import type { KeyUsage } from '../keys/signing-key.entity';

const { id, ids, text } = eventField;

export const sessionEvents = defineFeedEvents({
  'session.ended': {
    meaning: 'Sessions ended other than by expiry; the actor ended them.',
    subject: 'user',
    data: {
      session_ids: ids('The sessions'),
      reason: text('`logout`, `revoked`, `limit` (too many sessions) or `refresh_reused` (an old token was used)'),
    },
  },
  'acting.started': {
    meaning: 'A user began to act as another, the subject.',
    subject: 'user',
    data: { session_id: id('The session in which the actor acts') },
  },
  'acting.ended': {
    meaning: 'A session in which another user acted as the subject ended other than by expiry.',
    subject: 'user',
    data: { session_id: id('The session in which the actor acted') },
  },
});

export const signingKeyEvents = defineFeedEvents({
  'signing_key.rotated': {
    meaning: 'A new signing key replaces the previous one.',
    subject: 'signing_key',
    data: { usage: text('`session` or `oauth`') },
    optional: ['usage'],
  },
});

type Reason = 'logout' | 'revoked' | 'limit' | 'refresh_reused';

interface OneSession {
  readonly before: { readonly user_id: string };
}

export type OneSessionAct = Act<OneSession>;

interface Sessions {
  readonly after: {
    readonly session_ids: readonly string[];
    readonly revoked?: number;
    /** The sessions that began at or after the time. */
    readonly since?: string;
    readonly max_per_user?: number;
  };
}

interface Reuse {
  readonly after: { readonly session_id: string; readonly counter: number; readonly reused: number };
}

function ended(sessionIds: readonly string[], reason: Reason, userId?: string): ActEvent[] {
  if (sessionIds.length === 0) return [];
  const subject = userId === undefined ? undefined : { type: 'user', id: userId };
  return [sessionEvents('session.ended', { session_ids: sessionIds, reason }, subject)];
}

const idsOf = ({ targetId }: { readonly targetId: string | null }): string[] => (targetId === null ? [] : [targetId]);

/** Acts on one session, whose user is in the state. */
const one =
  (reason: Reason) =>
  (act: StoredAct<OneSession>): ActEvent[] =>
    ended(idsOf(act), reason, act.before.user_id);

/** Acts on several sessions of a user. Entries of former versions name no sessions. */
const several =
  (reason: Reason) =>
  ({ after }: StoredAct<Sessions>): ActEvent[] =>
    ended((after as Partial<typeof after>).session_ids ?? [], reason);

/** Entries of former versions have the session as the target, and the user in the state. */
function reused(act: StoredAct<Reuse>): ActEvent[] {
  if ('session_id' in act.after) return ended([act.after.session_id], 'refresh_reused');
  return ended(idsOf(act), 'refresh_reused', (act.after as { readonly user_id: string }).user_id);
}

export const sessionActs = {
  logout: defineAct<OneSession>('session.logout', { events: one('logout') }),
  revoke: defineAct<OneSession>('session.revoke', { events: one('revoked') }),
  revokeAll: defineAct<Sessions>('session.revoke_all', { events: several('revoked') }),
  evict: defineAct<Sessions>('session.evict', { events: several('limit') }),
  /** A failure that ends the session. */
  reuseRefresh: defineAct<Reuse>('session.refresh_reused', { rejected: reused }),
  startActing: defineAct<{ after: { readonly session_id: string; readonly until: string } }>('acting.start', {
    events: ({ after }) => [sessionEvents('acting.started', { session_id: after.session_id })],
  }),
  endActing: defineAct<{
    before: { readonly session_id: string; readonly actor_id: string; readonly actor_name: string };
  }>('acting.end', {
    events: ({ before }) => [sessionEvents('acting.ended', { session_id: before.session_id })],
  }),
};

export const signingKeyActs = {
  rotate: defineAct<{ after: { readonly usage: KeyUsage; readonly algorithm: string } }>('signing_key.rotate', {
    events: ({ after }) => [signingKeyEvents('signing_key.rotated', { usage: after.usage })],
  }),
  retire: defineAct('signing_key.retire'),
};
