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
};

describe('a cache entry of a session', () => {
  it.each([entry, { ...entry, secondFactorAt: 6 }])('is the session it was made of (%#)', (stored) => {
    expect(parseSessionEntry(ID, JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('leaves out what it does not know', () => {
    expect(parseSessionEntry(ID, { ...entry, isAdmin: true })).toEqual(entry);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'session'],
    ['a list', [entry]],
    ['an end', endedEntry(ID)],
    ['revoked by another word', { ...entry, revoked: 'no' }],
    ["another session's", { ...entry, id: 'another' }],
    ['without a user', { ...entry, userId: undefined }],
    ['of a counter of text', { ...entry, counter: '3' }],
    ['of a counter below 1', { ...entry, counter: 0 }],
    ['of no reading time', { ...entry, readAt: undefined }],
    ['of an end that is no number', { ...entry, expiresAt: '2030-01-01' }],
    ['without a word on second factors', { ...entry, secondFactorAt: undefined }],
    ['of methods that are no texts', { ...entry, amr: [7] }],
    ['of methods that are no list', { ...entry, amr: 'pwd' }],
  ])('is ignored where it is %s', (_, stored) => {
    expect(parseSessionEntry(ID, stored)).toBeUndefined();
  });
});
