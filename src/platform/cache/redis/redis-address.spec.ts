import { ErrorReply } from '@redis/client';
import { addressOf, assertMaster, masterFrom, movedTo } from './redis-address';

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

  it('takes host and port from a Sentinel, and account, TLS and database from the URL of the master', () => {
    const named = addressOf('rediss://me:secret@my-master/2');
    expect(masterFrom(['10.0.0.7', '6380'], named)).toEqual({ ...named, host: '10.0.0.7', port: 6380 });
  });

  it.each([[null], ['10.0.0.7:6380'], [[]], [['10.0.0.7', 'x']]])('rejects the reply %j of a Sentinel', (reply) => {
    expect(() => masterFrom(reply, addressOf('redis://my-master'))).toThrow('with the name my-master');
  });

  it.each([[['slave', 'x', 1]], [['sentinel', []]], [null]])('rejects a server of the role %j as master', (reply) => {
    expect(() => {
      assertMaster(reply, asked);
    }).toThrow('seed.example:7000 is no longer the master');
  });
});
