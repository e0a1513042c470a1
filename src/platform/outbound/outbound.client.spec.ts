import { createServer, RequestListener, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Setting, SettingsReader } from '../settings';
import { isPublicAddress } from './addresses';
import { HostAddress, HostResolver } from './host-resolver';
import { OutboundClient } from './outbound.client';

class Settings extends SettingsReader {
  constructor(public privateToo: boolean) {
    super();
  }

  get<T>(_setting: Setting<T>): Promise<T> {
    return Promise.resolve(this.privateToo as T);
  }
}

/** A resolver that returns one list after the other and then repeats the last. */
class Names extends HostResolver {
  asked = 0;

  constructor(private readonly answers: readonly string[][]) {
    super();
  }

  resolve(): Promise<readonly HostAddress[]> {
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)] ?? [];
    return Promise.resolve(answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  }
}

class HastyOutbound extends OutboundClient {
  protected override readonly deadlineMs = 200;
}

function outbound({ privateToo = false, names = [['127.0.0.1']], Class = OutboundClient } = {}): OutboundClient {
  return new Class(new Settings(privateToo), new Names(names));
}

let server: Server;
let answer: RequestListener;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    answer(request, response);
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  connections = 0;
  answer = (_, response) => response.end('fine');
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const port = (): number => (server.address() as AddressInfo).port;
const there = (path = '/'): string => `http://idp.example:${port()}${path}`;
const get = (by: OutboundClient, url: string): Promise<unknown> => by.call({ url, method: 'GET' });

describe('isPublicAddress', () => {
  it.each([
    ['93.184.216.34', true],
    ['2606:4700::1111', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:169.254.169.254', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['64:ff9b:1::7f00:1', false],
    ['::7f00:1', false],
    ['fec0::1', false],
    ['fe00::1', false],
    ['4000::1', false],
    ['localhost', false],
  ])('decides whether %s is public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});

describe('OutboundClient', () => {
  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://user:password@idp.example/',
    'http://idp.example/',
    'file:///etc/passwd',
    'gopher://idp.example/',
    'nonsense',
  ])('rejects %s', async (url) => {
    await expect(get(outbound(), url)).rejects.toMatchObject({ reason: 'address_refused' });
    expect(await outbound().check(url)).toMatch(/^(https|private)_address$/);
  });

  it('rejects a name that became private after the check', async () => {
    const rebinding = outbound({ names: [['93.184.216.34'], ['127.0.0.1']] });
    const url = `https://idp.example:${port()}/`;
    expect(await rebinding.check(url)).toBeUndefined();
    await expect(get(rebinding, url)).rejects.toMatchObject({ reason: 'address_refused' });
    expect(connections).toBe(0);
  });

  it('rejects a name if one of its addresses is private', async () => {
    const mixed = outbound({ names: [['93.184.216.34', '127.0.0.1']] });
    await expect(get(mixed, 'https://idp.example/')).rejects.toMatchObject({ reason: 'address_refused' });
  });

  it('connects to the address it checked, resolved once', async () => {
    const names = new Names([['127.0.0.1'], ['10.0.0.1']]);
    const once = new OutboundClient(new Settings(true), names);
    await expect(get(once, there())).resolves.toMatchObject({ status: 200, text: 'fine' });
    expect([names.asked, connections]).toEqual([1, 1]);
  });

  it('allows http only to private addresses', async () => {
    const open = outbound({ privateToo: true, names: [['93.184.216.34']] });
    await expect(get(open, 'http://idp.example/')).rejects.toMatchObject({ reason: 'address_refused' });
    expect(await open.check('http://idp.example/')).toBe('https_address');
  });

  it('follows no redirect', async () => {
    answer = ({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: '/secret' });
      response.end('moved');
    };
    await expect(get(outbound({ privateToo: true }), there())).rejects.toMatchObject({ reason: 'redirected' });
    expect(connections).toBe(1);
  });

  it.each<[string, RequestListener]>([
    [
      'a hundred megabytes',
      (_, response) => {
        response.writeHead(200, { 'content-length': 104_857_600 });
        response.write(Buffer.alloc(1_048_576));
      },
    ],
    [
      'a body without end',
      (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('accepts at most 256 KiB of %s', async (_, endless) => {
    answer = endless;
    await expect(get(outbound({ privateToo: true }), there())).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('rejects compressed responses', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(10_485_760)));
    };
    await expect(get(outbound({ privateToo: true }), there())).rejects.toMatchObject({ reason: 'encoded' });
  });

  it.each<[string, RequestListener]>([
    ['that never responds', () => undefined],
    [
      'that never finishes',
      (_, response) => {
        response.write('a');
      },
    ],
  ])('times out with a server %s', async (_, slow) => {
    answer = slow;
    const hasty = outbound({ privateToo: true, Class: HastyOutbound });
    await expect(get(hasty, there())).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('reports an unreachable server without its address', async () => {
    const failure = get(outbound({ privateToo: true, names: [['127.0.0.1']] }), 'http://idp.example:1/?secret=s');
    await expect(failure).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(failure).rejects.not.toThrow(/secret|127/);
  });

  it('does not queue behind hanging calls and leaves room for other hosts', async () => {
    const arrived = new Promise<void>((resolve) => {
      let seen = 0;
      answer = (request, response) => {
        if (request.headers.host?.startsWith('other')) response.end('fine');
        else if (++seen === 20) resolve();
      };
    });
    const crowded = outbound({ privateToo: true });
    const hanging = Array.from({ length: 20 }, () => get(crowded, there()).catch(() => 'ended'));
    await arrived;
    await expect(get(crowded, there())).rejects.toMatchObject({ reason: 'busy' });
    await expect(get(crowded, `http://other.example:${port()}/`)).resolves.toMatchObject({ text: 'fine' });
    server.closeAllConnections();
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => 'ended'));
    await expect(get(crowded, `http://other.example:${port()}/`)).resolves.toMatchObject({ text: 'fine' });
  });
});

describe('OutboundClient.deliver', () => {
  const receiver = 'http://receiver.example';
  const deliver = (by: OutboundClient, origin = receiver, deadlineMs = 2_000): Promise<unknown> =>
    by.deliver({ url: `${origin}:${port()}/`, headers: {}, body: '{}', deadlineMs });

  it('keeps connections to a receiver', async () => {
    const names = new Names([['127.0.0.1']]);
    const client = new OutboundClient(new Settings(true), names);
    for (let sent = 0; sent < 8; sent++) await expect(deliver(client)).resolves.toMatchObject({ status: 200 });
    // A connection is free again a moment after its response, so that a second one may be made.
    expect(connections).toBeLessThanOrEqual(2);
    expect(names.asked).toBe(connections);
  });

  it('connects to each receiver separately', async () => {
    const client = outbound({ privateToo: true });
    await deliver(client);
    await deliver(client, 'http://other.example');
    expect(connections).toBe(2);
  });

  it('uses no connection that was made under another setting', async () => {
    const settings = new Settings(true);
    const client = new OutboundClient(settings, new Names([['127.0.0.1']]));
    await deliver(client);
    settings.privateToo = false;
    await expect(deliver(client)).rejects.toMatchObject({ reason: 'address_refused' });
    await expect(deliver(client, 'https://receiver.example')).rejects.toMatchObject({ reason: 'address_refused' });
    expect(connections).toBe(1);
  });

  it('checks the address of each new connection', async () => {
    answer = (_, response) => response.writeHead(200, { connection: 'close' }).end();
    const rebinding = outbound({ privateToo: true, names: [['127.0.0.1'], ['93.184.216.34']] });
    await deliver(rebinding);
    await expect(deliver(rebinding)).rejects.toMatchObject({ reason: 'address_refused' });
  });

  it('sends again over a new connection when the receiver closes the kept one', async () => {
    const client = outbound({ privateToo: true });
    await deliver(client);
    let requests = 0;
    answer = (request, response) => {
      requests++;
      if (requests === 1) request.socket.destroy();
      else response.end('fine');
    };
    await expect(deliver(client)).resolves.toMatchObject({ status: 200, text: 'fine' });
    expect(requests).toBe(2);
  });

  it('gives up when the receiver closes the new connection, too', async () => {
    let requests = 0;
    answer = ({ socket }) => {
      requests++;
      socket.destroy();
    };
    await expect(deliver(outbound({ privateToo: true }))).rejects.toMatchObject({ reason: 'unreachable' });
    expect(requests).toBe(2);
  });

  it.each<[string, string, RequestListener]>([
    [
      'a compressed response, which it leaves alone',
      '',
      (_, response) => {
        response.writeHead(202, { 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(10_485_760)));
      },
    ],
    [
      'a response of a hundred megabytes, of which it reads the beginning',
      'a'.repeat(16_384),
      (_, response) => {
        response.writeHead(202, { 'content-length': 104_857_600 });
        response.write('a'.repeat(1_048_576));
      },
    ],
    [
      'a response that breaks off',
      'a',
      (_, response) => {
        response.writeHead(202, { 'content-length': 2 });
        response.write('a', () => response.destroy());
      },
    ],
    [
      'a response that never ends',
      'a',
      (_, response) => {
        response.writeHead(202);
        response.write('a');
      },
    ],
  ])('returns the status of %s', async (_, text, listener) => {
    answer = listener;
    const answered = deliver(outbound({ privateToo: true }), receiver, 300);
    await expect(answered).resolves.toMatchObject({ status: 202, text });
  });

  it('rejects redirects and receivers that never respond', async () => {
    answer = (_, response) => response.writeHead(307, { location: '/secret' }).end();
    await expect(deliver(outbound({ privateToo: true }))).rejects.toMatchObject({ reason: 'redirected' });
    answer = () => undefined;
    const late = deliver(outbound({ privateToo: true }), receiver, 200);
    await expect(late).rejects.toMatchObject({ reason: 'timed_out' });
  });
});
