import { FeedEvent, FeedEventDto } from '../feed';
import type { SecurityEventClaims } from '../../platform/crypto';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const VERIFICATION = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

/** Where a signal comes from and goes to. */
export interface SignalParties {
  readonly issuer: string;
  readonly audience: string;
}

export type ClaimName = 'roles' | 'groups' | 'permissions';

/** What the user holds now. It is read when the signal is sent, because events hold ids only. */
export type SignalValues = Readonly<Partial<Record<ClaimName, readonly string[]>>>;

type Signal = Pick<SecurityEventClaims, 'sub_id' | 'events'> & { readonly jti?: string };
type Mapper = (event: FeedEventDto, subject: Subject, values: SignalValues) => Signal;

interface Subject {
  readonly issuer: string;
  readonly id: string;
}

/** The user, by the claims of ID tokens (RFC 9493 §3.2.4). */
const userOf = ({ issuer, id }: Subject): Signal['sub_id'] => ({ format: 'iss_sub', iss: issuer, sub: id });

/** The user alone would mean all sessions of the user. */
const sessionEnded: Mapper = (event, subject) => {
  const [id = ''] = event.data['session_ids'] as string[];
  return {
    jti: `${event.id}.${id}`,
    sub_id: { format: 'complex', user: userOf(subject), session: { format: 'opaque', id } },
    events: { [`${CAEP}session-revoked`]: commonOf(event) },
  };
};

const CREDENTIAL_TYPES: Readonly<Record<string, string>> = { totp: 'app', recovery: 'recovery-codes' };

const credential =
  (change: 'create' | 'update' | 'delete', typeOf: (event: FeedEventDto) => string): Mapper =>
  (event, subject) => ({
    sub_id: userOf(subject),
    events: {
      [`${CAEP}credential-change`]: { ...commonOf(event), credential_type: typeOf(event), change_type: change },
    },
  });

const factorOf = ({ data }: FeedEventDto): string => {
  const factor = typeof data['factor'] === 'string' ? data['factor'] : 'all';
  return CREDENTIAL_TYPES[factor] ?? factor;
};

const claimsChanged: Mapper = (event, subject, claims) => ({
  jti: event.data['group_id'] === undefined ? event.id : `${event.id}.${subject.id}`,
  sub_id: userOf(subject),
  events: { [`${CAEP}token-claims-change`]: { ...commonOf(event), claims } },
});

const OF_ROLES: readonly ClaimName[] = ['roles', 'permissions'];
/** Members hold the roles of a group. */
const OF_GROUPS: readonly ClaimName[] = ['groups', ...OF_ROLES];
const CHANGED_CLAIMS: Readonly<Record<string, readonly ClaimName[]>> = {
  'role.assigned': OF_ROLES,
  'role.unassigned': OF_ROLES,
  'group.users_added': OF_GROUPS,
  'group.users_removed': OF_GROUPS,
  'grant.changed': ['permissions'],
};

const mappers: Readonly<Record<string, Mapper>> = {
  'session.ended': sessionEnded,
  'user.password_changed': credential('update', () => 'password'),
  'factor.added': credential('create', factorOf),
  'factor.removed': credential('delete', factorOf),
  ...Object.fromEntries(Object.keys(CHANGED_CLAIMS).map((type) => [type, claimsChanged])),
};

/** What all signals say (CAEP 1.0 §2). */
const commonOf = (event: FeedEventDto): object => ({
  event_timestamp: Math.floor(Date.parse(event.at) / 1_000),
  initiating_entity: initiatorOf(event),
});

function initiatorOf({ actor, subject, data }: FeedEventDto): 'user' | 'admin' | 'policy' | 'system' {
  if (data['reason'] === 'limit' || data['reason'] === 'refresh_reused') return 'policy';
  if (actor?.type !== 'user') return actor?.type === 'operator' ? 'admin' : 'system';
  return actor.id === subject?.id ? 'user' : 'admin';
}

/**
 * The events that become signals, one for each signal. Events without a user, of other types, and of an organization, whose
 * groups and grants no token names, become none.
 */
export function signalsOf(event: FeedEvent): FeedEvent[] {
  if (!Object.hasOwn(mappers, event.type) || event.data['organization_id'] !== undefined) return [];
  if (event.subject?.type === 'group') return membersOf(event);
  if (event.subject?.type !== 'user') return [];
  const { session_ids: sessions } = event.data;
  if (!Array.isArray(sessions)) return [event];
  return sessions.map((id: unknown) => ({ ...event, data: { ...event.data, session_ids: [id] } }));
}

/** An event for each user who joins or leaves the group. */
function membersOf({ subject, data, ...event }: FeedEvent): FeedEvent[] {
  const { version, added_ids: added, removed_ids: removed } = data;
  const ids = [added, removed].flat().filter((id) => typeof id === 'string');
  return ids.map((id) => ({
    ...event,
    subject: { type: 'user', id, name: null },
    data: { version, group_id: subject?.id },
  }));
}

/** The claims that have other values after the event. */
export const changedClaims = ({ type }: FeedEventDto): readonly ClaimName[] => CHANGED_CLAIMS[type] ?? [];

/** The claims of the signal of an event that `signalsOf` returned. A test event asks for a verification (SSF 1.0 §8.1.4). */
export function claimsOf(
  event: FeedEventDto,
  { issuer, audience }: SignalParties,
  values: SignalValues,
): SecurityEventClaims {
  const subject = { issuer, id: event.subject?.id ?? '' };
  const signal: Signal = mappers[event.type]?.(event, subject, values) ?? verificationOf(subject);
  return { iss: issuer, aud: audience, jti: event.id, txn: event.request_id ?? event.id, ...signal };
}

const verificationOf = ({ id }: Subject): Signal => ({
  sub_id: { format: 'opaque', id },
  events: { [VERIFICATION]: {} },
});
