import type { FeedEvent, FeedEventDto } from '../feed';
import { changedClaims, claimsOf, signalsOf } from './shared-signals';

const USER = '01980c6e-2222-7c21-9d5b-2e8f60a1b3c4';
const ADMIN = { type: 'user', id: '01980c6e-1111-7c21-9d5b-2e8f60a1b3c4', name: null };
const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const PARTIES = { issuer: 'https://id.example.com', audience: 'https://app.example.com' };
const user = { format: 'iss_sub', iss: PARTIES.issuer, sub: USER };

const event = (type: string, data: object = {}, more: Partial<FeedEvent> = {}): FeedEvent => ({
  ...{ id: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4', type, at: new Date('2026-01-31T09:30:00.500Z'), actor: ADMIN },
  ...{ subject: { type: 'user', id: USER, name: 'ann' }, data: { version: 1, ...data }, requestId: 'request' },
  ...more,
});
const dto = ({ at, requestId, ...rest }: FeedEvent): FeedEventDto => ({
  ...rest,
  at: at.toISOString(),
  request_id: requestId,
});
const claims = (from: FeedEvent): ReturnType<typeof claimsOf> => claimsOf(dto(from), PARTIES, { roles: ['editor'] });

describe('claimsOf', () => {
  it.each([
    ['user.password_changed', {}, 'credential-change', { credential_type: 'password', change_type: 'update' }],
    ['factor.added', { factor: 'totp' }, 'credential-change', { credential_type: 'app', change_type: 'create' }],
    ['factor.added', { factor: 'passkey' }, 'credential-change', { credential_type: 'passkey', change_type: 'create' }],
    ['factor.removed', { factor: 'all' }, 'credential-change', { credential_type: 'all', change_type: 'delete' }],
    ['role.assigned', {}, 'token-claims-change', { claims: { roles: ['editor'] } }],
    ['role.unassigned', {}, 'token-claims-change', { claims: { roles: ['editor'] } }],
    ['grant.changed', {}, 'token-claims-change', { claims: { roles: ['editor'] } }],
  ])('makes of %s with %j a signal of the type %s', (type, data, name, expected) => {
    const common = { event_timestamp: 1_769_851_800, initiating_entity: 'admin' };
    expect(claims(event(type, data))).toEqual({
      ...{ iss: PARTIES.issuer, aud: PARTIES.audience, jti: event(type).id, txn: 'request', sub_id: user },
      events: { [CAEP + name]: { ...common, ...expected } },
    });
  });

  it('names the session that ended, because the user alone would mean all sessions', () => {
    const { sub_id, jti, events } = claims(event('session.ended', { session_ids: ['s1'], reason: 'revoked' }));
    expect(sub_id).toEqual({ format: 'complex', user, session: { format: 'opaque', id: 's1' } });
    expect(jti).toBe(`${event('x').id}.s1`);
    expect(Object.keys(events)).toEqual([`${CAEP}session-revoked`]);
  });

  it.each([
    ['the user', { actor: { ...ADMIN, id: USER } }, 'logout', 'user'],
    ['an administrator', {}, 'revoked', 'admin'],
    ['the operator', { actor: { ...ADMIN, type: 'operator' } }, 'revoked', 'admin'],
    ['a client', { actor: { ...ADMIN, type: 'client' } }, 'revoked', 'system'],
    ['the service', { actor: null }, 'revoked', 'system'],
    ['the limit of sessions', {}, 'limit', 'policy'],
  ])('says when %s ended a session', (_, more, reason, entity) => {
    const { events } = claims(event('session.ended', { session_ids: ['s1'], reason }, more));
    expect(Object.values(events)[0]).toMatchObject({ initiating_entity: entity });
  });

  it('makes of a test a request for verification', () => {
    const test = event('webhook.test', {}, { subject: { type: 'webhook', id: 'w', name: null } });
    expect(claims(test)).toMatchObject({
      sub_id: { format: 'opaque', id: 'w' },
      events: { 'https://schemas.openid.net/secevent/ssf/event-type/verification': {} },
    });
  });
});

describe('signalsOf', () => {
  it('gives one signal for each session', () => {
    const signals = signalsOf(event('session.ended', { session_ids: ['s1', 's2'] }));
    expect(signals.map(({ data }) => data['session_ids'])).toEqual([['s1'], ['s2']]);
  });

  it('gives one signal for each user who joins or leaves a group', () => {
    const subject = { type: 'group', id: 'the group', name: null };
    const signals = [
      ...signalsOf(event('group.users_added', { added: 2, added_ids: ['u1', 'u2'] }, { subject })),
      ...signalsOf(event('group.users_removed', { removed_ids: ['u3'] }, { subject })),
    ];
    expect(signals.map((signal) => claims(signal))).toMatchObject(
      ['u1', 'u2', 'u3'].map((sub) => ({ sub_id: { sub }, jti: `${event('x').id}.${sub}` })),
    );
    expect(signals[0]).toMatchObject({ subject: { type: 'user', id: 'u1' }, data: { group_id: 'the group' } });
    expect(JSON.stringify(signals[0])).not.toContain('u2');
    expect(signalsOf(event('group.created', {}, { subject }))).toEqual([]);
  });

  it('gives none for groups and grants of an organization, which no token names', () => {
    const subject = { type: 'group', id: 'the group', name: null };
    const organization_id = 'an organization';
    expect(signalsOf(event('group.users_added', { organization_id, added_ids: ['u1'] }, { subject }))).toEqual([]);
    expect(signalsOf(event('grant.changed', {}))).toHaveLength(1);
    expect(signalsOf(event('grant.changed', { organization_id }))).toEqual([]);
  });

  it('gives none for other types, or without a user', () => {
    expect(signalsOf(event('role.created'))).toEqual([]);
    expect(signalsOf(event('constructor'))).toEqual([]);
    expect(signalsOf(event('session.ended', { session_ids: ['s1'] }, { subject: null }))).toEqual([]);
  });
});

describe('changedClaims', () => {
  it.each([
    ['role.assigned', ['roles', 'permissions']],
    ['group.users_removed', ['groups', 'roles', 'permissions']],
    ['grant.changed', ['permissions']],
    ['user.password_changed', []],
  ])('names the claims that %s changes: %j', (type, names) => {
    expect(changedClaims(dto(event(type)))).toEqual(names);
  });
});
