import { ErrorReply } from '@redis/client';
import { addressOf, movedTo } from './redis-address';

describe('Redis addresses', () => {
  it.each([
    ['redis://r', { host: 'r', port: 6379, tls: false, database: 0 }],
    ['rediss://r:6380/3', { host: 'r', port: 6380, tls: true, database: 3 }],
    [
      'redis://me:p%2Cw%40@[::1]',
      { host: '::1', port: 6379, tls: false, username: 'me', password: 'p,w@', database: 0 },
    ],
  ])('parses %s', (url, address) => {
    expect(addressOf(url)).toEqual(address);
  });

  const asked = addressOf('rediss://:secret@seed.example:7000');

  it.each([
    ['MOVED 3999 127.0.0.1:6381', '127.0.0.1', 6381],
    ['MOVED 3999 2001:db8::7:6381', '2001:db8::7', 6381],
    ['MOVED 3999 node-2.example:6381', 'node-2.example', 6381],
    ['MOVED 3999 :6381', 'seed.example', 6381],
    ['MOVED 3999 ?:6381', 'seed.example', 6381],
  ])('follows %s with the same account and TLS', (message, host, port) => {
    expect(movedTo(asked, new ErrorReply(message))).toEqual({ ...asked, host, port });
  });

  it.each([
    ['another error', new ErrorReply('CLUSTERDOWN Hash slot not served')],
    ['a slot that is being moved', new ErrorReply('ASK 3999 127.0.0.1:6381')],
    ['an error that no server sent', new Error('MOVED 3999 127.0.0.1:6381')],
    ['a malformed redirection', new ErrorReply('MOVED somewhere')],
  ])('does not follow %s', (_what, error) => {
    expect(movedTo(asked, error)).toBeUndefined();
  });
});
