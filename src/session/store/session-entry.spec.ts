import { endedEntry, parseSessionEntry } from './session-entry';

const ID = '01890000-0000-7000-8000-000000000001';
const entry = {
  id: ID,
  userId: '01890000-0000-7000-8000-000000000002',
  counter: 3,
  revoked: false,
  createdAt: 1,
  authenticatedAt: 2,
  rotatedAt: 3,
  readAt: 4,
  expiresAt: 5,
  secondFactorAt: null,
  amr: ['pwd', 'otp'],
  loginMethod: 'password',
  actor: null,
};
const actor = { userId: 'sam', username: 'sam', sessionId: 'own' };

describe('parseSessionEntry', () => {
  it.each([entry, { ...entry, secondFactorAt: 6 }, { ...entry, actor }])(
    'returns the session that was stored (%#)',
    (stored) => {
      expect(parseSessionEntry(ID, JSON.parse(JSON.stringify(stored)))).toEqual(stored);
    },
  );

  it('drops unknown fields', () => {
    expect(parseSessionEntry(ID, { ...entry, isAdmin: true })).toEqual(entry);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'session'],
    ['a list', [entry]],
    ['an ended entry', endedEntry(ID)],
    ['a non-boolean revoked', { ...entry, revoked: 'no' }],
    ["another session's entry", { ...entry, id: 'another' }],
    ['a missing user', { ...entry, userId: undefined }],
    ['a string counter', { ...entry, counter: '3' }],
    ['a counter below 1', { ...entry, counter: 0 }],
    ['a missing read time', { ...entry, readAt: undefined }],
    ['a non-numeric expiry', { ...entry, expiresAt: '2030-01-01' }],
    ['a missing second-factor time', { ...entry, secondFactorAt: undefined }],
    ['non-string methods', { ...entry, amr: [7] }],
    ['a missing login method', { ...entry, loginMethod: undefined }],
    ['a missing actor', { ...entry, actor: undefined }],
    ['an incomplete actor', { ...entry, actor: { ...actor, sessionId: undefined } }],
    ['an actor that is a text', { ...entry, actor: 'sam' }],
    ['methods that are no list', { ...entry, amr: 'pwd' }],
  ])('rejects %s', (_, stored) => {
    expect(parseSessionEntry(ID, stored)).toBeUndefined();
  });
});
