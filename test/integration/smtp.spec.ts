import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Mail } from '../../src/messaging';
import type { SettingsReader } from '../../src/platform/settings';
import { mailFrom, smtpHost, smtpName } from '../../src/messaging/delivery/delivery.settings';
import { needsTls, readSmtpAccount, type SmtpAccount } from '../../src/messaging/delivery/mail/smtp-account';
import { SmtpOptions, SmtpTransport } from '../../src/messaging/delivery/mail/smtp-transport';
import { eventually } from '../support/service/eventually';
import { makeCertificate, smtpError, SmtpSink } from '../support/servers/smtp-sink';
import { fake } from '../support/service/fake';

/** Generous timeouts for a busy machine, which no test waits for. */
const PATIENT = { connectMs: 20_000, totalMs: 20_000 };
const SHORT = { connectMs: 1_500, totalMs: 1_500 };
const certificate = makeCertificate();
const opened: { close: () => void; stop: () => Promise<void> | void }[] = [];

const mail = (more: Partial<Mail> = {}): Mail => ({
  id: '0190a000-0000-7000-8000-000000000001',
  to: 'ann@example.com',
  subject: 'Your code',
  text: 'The code is 123456',
  language: 'en',
  ...more,
});

function transportTo(port: number, more: Partial<SmtpAccount> = {}, options: Partial<SmtpOptions> = {}): SmtpTransport {
  const account: SmtpAccount = {
    host: '127.0.0.1',
    port,
    secure: false,
    name: 'mail.id.example',
    username: '',
    password: '',
    sender: { name: 'Castellan', address: 'no-reply@id.example' },
    ...more,
  };
  const transport = new SmtpTransport(account, { limits: PATIENT, ...options });
  opened.push({
    close: () => {
      transport.close();
    },
    stop: () => undefined,
  });
  return transport;
}

async function sink(options: Parameters<typeof SmtpSink.start>[0] = {}): Promise<SmtpSink> {
  const started = await SmtpSink.start(options);
  opened.push({ close: () => undefined, stop: () => started.stop() });
  return started;
}

/** A TCP server with the given connection handler. */
async function stranger(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => undefined,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  const all = opened.splice(0);
  for (const { close } of all) close();
  for (const { stop } of all) await stop();
});

describe('mail over SMTP', () => {
  const plain = { hideSTARTTLS: true } as const;

  it('arrives unchanged as text and HTML, from the configured sender', async () => {
    const server = await sink(plain);
    const result = await transportTo(server.port).send(
      mail({ subject: '您的验证码', text: '验证码 012345', html: '<p>验证码 <b>012345</b></p>', language: 'zh' }),
    );
    expect(result).toMatchObject({ outcome: 'accepted', provider: 'smtp' });
    expect(server.mails).toHaveLength(1);
    const [{ mail: got, from, to, raw }] = server.mails as [SmtpSink['mails'][number]];
    expect([from, to]).toEqual(['no-reply@id.example', ['ann@example.com']]);
    expect(got.from).toMatchObject({ name: 'Castellan', address: 'no-reply@id.example' });
    expect(got.to).toMatchObject([{ address: 'ann@example.com' }]);
    expect([got.subject, got.text?.trim(), got.html?.trim()]).toEqual([
      '您的验证码',
      '验证码 012345',
      '<p>验证码 <b>012345</b></p>',
    ]);
    expect(got.messageId).toBe(result.providerMessageId);
    expect(raw).toContain('Auto-Submitted: auto-generated');
  });

  it('uses the domain of its account in EHLO', async () => {
    const server = await sink(plain);
    await transportTo(server.port).send(mail());
    expect(server.mails[0]!.name).toBe('mail.id.example');
  });

  it.each([
    ['', 'id.example'],
    ['mx.id.example', 'mx.id.example'],
  ])('uses %j as its name if valid, otherwise the domain of its sender: %s', async (name, expected) => {
    const values = new Map<unknown, unknown>([
      [smtpHost, '127.0.0.1'],
      [smtpName, name],
      [mailFrom, 'Castellan <no-reply@id.example>'],
    ]);
    const get = async (setting: unknown): Promise<unknown> => values.get(setting) ?? '';
    const account = await readSmtpAccount(fake<SettingsReader>({ get }));
    expect(account?.name).toBe(expected);
  });

  it('reuses its connection for the next mail', async () => {
    const server = await sink(plain);
    const transport = transportTo(server.port);
    for (let count = 0; count < 3; count++) {
      expect((await transport.send(mail({ id: `id-${count}` }))).outcome).toBe('accepted');
    }
    expect([server.mails.length, server.connections]).toEqual([3, 1]);
  });

  it('cannot be redirected to another recipient or get other headers', async () => {
    const server = await sink(plain);
    const transport = transportTo(server.port);
    await transport.send(mail({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' }));
    for (const to of [
      'a@example.com, eve@example.com',
      'ann@example.com\r\nBcc: eve@example.com',
      '<eve@example.com>',
    ]) {
      expect(await transport.send(mail({ to }))).toMatchObject({ outcome: 'rejected', providerCode: 'bad_address' });
    }
    expect(server.mails.map(({ to }) => to)).toEqual([['ann@example.com']]);
    expect(server.mails[0]!.mail.bcc ?? []).toEqual([]);
    expect(server.mails[0]!.mail.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  describe('over TLS', () => {
    const trusted = { ca: certificate.cert };
    const login = { username: 'castellan', password: 'right' };

    it('uses implicit TLS when configured', async () => {
      const server = await sink({ ...certificate, secure: true });
      const transport = transportTo(server.port, { ...login, secure: true }, trusted);
      expect((await transport.send(mail())).outcome).toBe('accepted');
      expect(server.mails[0]).toMatchObject({ secure: true, username: 'castellan' });
    });

    it('uses STARTTLS before it logs in', async () => {
      const server = await sink({ ...certificate });
      const transport = transportTo(server.port, { ...login, host: 'localhost' }, trusted);
      expect((await transport.send(mail())).outcome).toBe('accepted');
      expect(server.mails[0]).toMatchObject({ secure: true, username: 'castellan' });
    });

    it('sends nothing to a server with an untrusted certificate', async () => {
      const server = await sink({ ...certificate, secure: true });
      const result = await transportTo(server.port, { ...login, secure: true }).send(mail());
      expect(result.outcome).toBe('rejected');
      expect(server.contents).toBe(0);
    });

    it('reports a wrong password with the code of the server', async () => {
      const server = await sink({ ...certificate, secure: true });
      const transport = transportTo(server.port, { ...login, password: 'wrong', secure: true }, trusted);
      expect(await transport.send(mail())).toMatchObject({ outcome: 'rejected', providerCode: '535' });
      expect(server.contents).toBe(0);
    });
  });

  describe('failures', () => {
    it.each([
      [550, 'rejected'],
      [552, 'rejected'],
      [421, 'throttled'],
      [451, 'throttled'],
    ])('return for the reply %i to the content: %s', async (code, outcome) => {
      const server = await sink(plain);
      server.answer = (reply) => {
        reply(smtpError(code, 'no'));
      };
      expect(await transportTo(server.port).send(mail())).toMatchObject({ outcome, providerCode: String(code) });
      expect(server.contents).toBe(1);
    });

    it.each([
      [550, 'rejected'],
      [450, 'throttled'],
    ])('return for the reply %i to the recipient: %s', async (code, outcome) => {
      const server = await sink({
        ...plain,
        onRcptTo: (_, __, callback) => {
          callback(smtpError(code, 'no'));
        },
      });
      expect(await transportTo(server.port).send(mail())).toMatchObject({ outcome, providerCode: String(code) });
      expect(server.contents).toBe(0);
    });

    it('are unknown without a retry when the server accepts the content and stays silent', async () => {
      const server = await sink(plain);
      server.answer = () => undefined;
      const result = await transportTo(server.port, {}, { limits: SHORT }).send(mail());
      expect(result).toEqual({ outcome: 'unknown', provider: 'smtp', providerCode: 'timeout' });
      expect(server.contents).toBe(1);
    });

    it('are unknown without a retry when the connection breaks after the content', async () => {
      let contents = 0;
      const port = await stranger((socket) => {
        socket.write('220 hello\r\n');
        socket.on('data', (data) => {
          if (/^EHLO|^MAIL|^RCPT/.test(data.toString())) socket.write('250 ok\r\n');
          else if (data.toString().startsWith('DATA')) socket.write('354 go on\r\n');
          else if (data.toString().endsWith('\r\n.\r\n')) {
            contents++;
            socket.destroy();
          }
        });
      });
      const transport = transportTo(port);
      const result = await transport.send(mail());
      expect(result).toMatchObject({ outcome: 'unknown', providerCode: 'connection_broken' });
      // A retry of the pool would come before the next mail.
      await transport.send(mail({ id: 'next' }));
      expect(contents).toBe(2);
    });

    it('are rejections when the server is unreachable', async () => {
      const port = await stranger(() => undefined);
      await opened.pop()!.stop();
      expect(await transportTo(port).send(mail())).toEqual({
        outcome: 'rejected',
        provider: 'smtp',
        providerCode: 'unreachable',
      });
    });

    it.each<[string, (socket: Socket) => void]>([
      ['sends no greeting', () => undefined],
      ['hangs up', (socket) => socket.end()],
      ['speaks another protocol', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
      [
        'sends one byte at a time',
        (socket) => {
          const timer = setInterval(() => socket.write('2'), 50);
          socket.on('close', () => {
            clearInterval(timer);
          });
        },
      ],
      ['never ends its line', (socket) => socket.write('2'.repeat(2_000_000))],
    ])('are rejections when the server %s', async (_, onConnection) => {
      const result = await transportTo(await stranger(onConnection), {}, { limits: SHORT }).send(mail());
      expect(result.outcome).toBe('rejected');
    });

    it('are retried when the server closed the pooled connection', async () => {
      let left = 0;
      const onClose = (): void => {
        left++;
      };
      const server = await sink({ ...plain, socketTimeout: 200, onClose });
      const transport = transportTo(server.port);
      expect((await transport.send(mail({ id: 'id-1' }))).outcome).toBe('accepted');
      await eventually(
        async () => left,
        (count) => count === 1,
      );
      expect((await transport.send(mail({ id: 'id-2' }))).outcome).toBe('accepted');
      expect(server.mails).toHaveLength(2);
    });
  });

  it('never include a password sent over plain text to another host', async () => {
    const account = {
      host: 'smtp.example.com',
      port: 25,
      secure: false,
      username: 'ann',
      name: 'b.example',
      password: 'x',
      sender: { name: '', address: 'a@b.example' },
    };
    expect([
      needsTls(account),
      needsTls({ ...account, username: '' }),
      needsTls({ ...account, username: '', port: 587 }),
    ]).toEqual([true, false, true]);
    const server = await sink(plain);
    const transport = transportTo(server.port, { username: 'ann', password: 'right', host: '127.0.0.1' });
    expect((await transport.send(mail())).outcome).toBe('accepted');
  });
});
