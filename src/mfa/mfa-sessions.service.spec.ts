import { sha256 } from '../platform/crypto';
import type { MfaSessionKey } from './mfa-session.repository';
import { MfaSessionsService } from './mfa-sessions.service';

const text = (letter: string): string => letter.repeat(43);
const cookieOf = (letter: string): string => `${text(letter)}~${text(letter.toUpperCase())}`;
const keyOf = (letter: string): MfaSessionKey => ({
  tokenHash: sha256(text(letter)),
  browserHash: sha256(text(letter.toUpperCase())),
});

describe('MfaSessionsService', () => {
  const find = jest.fn(async () => ({ id: 'login' }));
  const sessions = new MfaSessionsService({ find } as never, {} as never);

  afterEach(() => {
    find.mockClear();
  });

  it.each([
    ['the cookie alone', { token: undefined, cookies: [cookieOf('a')] }, 'a'],
    ['the token and its cookie', { token: text('a'), cookies: [cookieOf('a')] }, 'a'],
    ['the token and the second of two cookies', { token: text('b'), cookies: [cookieOf('a'), cookieOf('b')] }, 'b'],
    ['the cookie after an unreadable one', { token: undefined, cookies: ['x', cookieOf('b')] }, 'b'],
  ])('finds the login of %s', async (_, claim, letter) => {
    await sessions.find(claim);
    expect(find).toHaveBeenCalledWith(keyOf(letter));
  });

  it.each([
    ['no cookie', { token: text('a'), cookies: [] }],
    ['the cookie of another login', { token: text('a'), cookies: [cookieOf('b')] }],
    ['a third cookie', { token: text('c'), cookies: [cookieOf('a'), cookieOf('b'), cookieOf('c')] }],
    ['a token of another form', { token: `${text('a')}a`, cookies: [cookieOf('a')] }],
    ['a cookie of another form', { token: undefined, cookies: [`${cookieOf('a')}a`] }],
  ])('rejects %s without asking the database', async (_, claim) => {
    await expect(sessions.find(claim)).rejects.toMatchObject({ code: 'temp_token_invalid' });
    expect(find).not.toHaveBeenCalled();
  });
});
