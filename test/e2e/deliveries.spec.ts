import { Transactions } from '../../src/platform/database';
import { Message, MessengerService } from '../../src/messaging';
import { DeliveryRetentionJob, DevInboxService } from '../../src/messaging/delivery';
import { deliveryRetentionDays, mailFrom, smtpHost, smtpPort } from '../../src/messaging/delivery/delivery.settings';
import type { DeliveryList } from '../support/receivers/delivery-list';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { lastCode, messagesTo } from '../support/receivers/inbox';
import { itOnServer } from '../support/service/on-server';
import { answer, isHookSigned, Vendor, VendorReply } from '../support/servers/sms-vendors';
import { SmtpSink, smtpError } from '../support/servers/smtp-sink';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { IN_PRODUCTION, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const LOCAL = { remoteAddress: '127.0.0.1' };
const CODE = '048213';
describe('messages', () => {
  let service: TestService;
  let admin: TestClient;
  let messenger: MessengerService;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    messenger = service.app.get(MessengerService, { strict: false });
  });

  const message = (more: Partial<Message> = {}): Message => ({
    channel: 'email',
    purpose: 'login',
    target: 'ann@example.com',
    language: 'en',
    values: { code: CODE, minutes: '10', username: 'ann' },
    ...more,
  });
  const list = async (query = ''): Promise<DeliveryList> =>
    (await admin.get<DeliveryList>(`/api/delivery?${query}`)).body;

  describe('without a provider', () => {
    it('are shown in the development inbox to a local client', async () => {
      expect([await messenger.isOffered('email'), await messenger.isOffered('sms')]).toEqual([true, true]);
      expect(await messenger.send(message({ target: 'in@example.com' }))).toBe('accepted');
      expect(await messenger.send(message({ channel: 'sms', target: '+8613800138000', language: 'zh' }))).toBe(
        'accepted',
      );
      expect([lastCode(service, 'in@example.com'), lastCode(service, '+8613800138000')]).toEqual([CODE, CODE]);

      const headers = { accept: 'text/html, application/json;q=0.5' };
      const page = await service.client().get('/dev/inbox?lang=zh', { ...LOCAL, headers });
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      for (const text of ['<html lang="zh">', '+8613800138000', CODE]) expect(page.text).toContain(text);
      expect(page.text).not.toMatch(/style=|<script|<style/);

      const json = await service.client().get<{ items: { to: string; channel: string }[] }>('/dev/inbox.json', LOCAL);
      expect(json.body.items.map(({ to, channel }) => [to, channel]).slice(0, 2)).toEqual([
        ['+8613800138000', 'sms'],
        ['in@example.com', 'email'],
      ]);
      const asked = await service.client().get('/dev/inbox', { ...LOCAL, headers: { accept: 'application/json' } });
      expect(asked.body).toEqual(json.body);
      expect((await service.client().get('/dev/inbox.css', LOCAL)).headers['content-type']).toContain('text/css');
    });

    it('are printed to the log', async () => {
      await messenger.send(message({ target: 'logged@example.com' }));
      expect(service.logLines.filter((line) => line.includes('logged@') && line.includes(CODE))).toHaveLength(1);
    });

    it('escape their content in the inbox', async () => {
      service.app.get(DevInboxService, { strict: false }).deliver({
        id: 'x',
        channel: 'email',
        to: '"><img src=x>@example.com',
        subject: '<script>alert(1)</script>',
        text: '</pre><b onclick="x">&amp;',
      });
      const { text } = await service.client().get('/dev/inbox', LOCAL);
      expect(text).not.toMatch(/<script|<img|<b /);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    });

    it.each<[string, string, Record<string, string>]>([
      ['from another address', '10.1.2.3', {}],
      ['through a proxy with X-Forwarded-For', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
      ['through a proxy with Forwarded', '127.0.0.1', { forwarded: 'for=127.0.0.1' }],
      ['through a proxy with X-Real-IP', '::1', { 'x-real-ip': '127.0.0.1' }],
      ['by a host name that resolves to the loopback address', '127.0.0.1', { host: 'evil.example:4000' }],
    ])('are hidden from a client that connects %s', async (_, remoteAddress, headers) => {
      for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox.css']) {
        const answer = await service.client().get<Problem>(path, { remoteAddress, headers });
        expectProblem(answer, 404, 'not_found');
      }
    });

    it.each(['localhost', 'LOCALHOST:4000', '127.0.0.1:4000', '[::1]:4000'])(
      'are shown under the host name %s',
      async (host) => {
        expect((await service.client().get('/dev/inbox.json', { ...LOCAL, headers: { host } })).status).toBe(200);
      },
    );
  });

  it('cannot be sent within a transaction', async () => {
    const within = service.app.get(Transactions).run(() => messenger.send(message({ target: 'held@example.com' })));
    await expect(within).rejects.toThrow('must not be sent inside a transaction');
    expect(messagesTo(service, 'held@example.com')).toEqual([]);
  });

  describe('deliveries', () => {
    it('have a masked recipient and no content', async () => {
      const holder = await userWith(service, admin, 'receiver');
      await messenger.send(message({ target: 'record@example.com', purpose: 'bind', userId: holder.id }));
      const { items } = await list('purpose=bind');
      expect(items).toEqual([
        {
          id: expect.any(String) as string,
          at: expect.any(String) as string,
          channel: 'email',
          purpose: 'bind',
          target: 'r***@example.com',
          provider: 'console',
          outcome: 'accepted',
          provider_message_id: items[0]!.id,
          provider_code: null,
          cost_class: null,
          user_id: holder.id,
        },
      ]);
      const rows = await service.query('SELECT * FROM message_delivery');
      expect(JSON.stringify(rows)).not.toContain(CODE);
      expect(JSON.stringify(rows)).not.toContain('record@');
    });

    it('can be filtered', async () => {
      const { id } = await userWith(service, admin, 'sought');
      const from = new Date(Date.now() - 60_000).toISOString();
      await messenger.send(message({ channel: 'sms', target: '+8613912345678', purpose: 'register', userId: id }));
      const count = async (query: string): Promise<number> => (await list(query)).items.length;
      const base = 'purpose=register';
      expect(await count(base)).toBe(1);
      for (const fits of [
        'channel=sms',
        'outcome=accepted',
        'provider=console',
        `user_id=${id}`,
        `from=${from}`,
        'target=%2B8613912345678',
      ]) {
        expect([fits, await count(`${base}&${fits}`)]).toEqual([fits, 1]);
      }
      for (const not of [
        'channel=email',
        'outcome=unknown',
        'provider=aliyun',
        'user_id=0190a000-0000-7000-8000-000000000009',
        `to=${from}`,
        'target=%2B8613912340000',
      ]) {
        expect([not, await count(`${base}&${not}`)]).toEqual([not, 0]);
      }
      for (const wrong of ['channel=fax', 'outcome=', 'user_id=1', 'from=now', 'cursor=x', 'colour=red']) {
        expect([wrong, (await admin.get(`/api/delivery?${wrong}`)).status]).toEqual([wrong, 400]);
      }
    });

    it('are listed newest first, page by page', async () => {
      for (let count = 0; count < 5; count++) {
        await messenger.send(message({ target: `page${count}@example.com`, purpose: 'new_device' }));
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: DeliveryList = await list(`purpose=new_device&page_size=2&cursor=${cursor}`);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      const rows = await service.query<{ id: string }>(
        `SELECT id FROM message_delivery WHERE purpose = 'new_device' ORDER BY at DESC, id DESC`,
      );
      expect(seen).toEqual(rows.map(({ id }) => id));
      expect(seen).toHaveLength(5);
    });

    it('require delivery:read', async () => {
      const reader = await userWith(service, admin, 'reader', 'delivery:read');
      expect((await reader.client.get('/api/delivery')).status).toBe(200);
      const other = await userWith(service, admin, 'other', 'setting:read');
      expect((await other.client.get('/api/delivery')).status).toBe(403);
    });

    it('are deleted after the retention time', async () => {
      await service.set(deliveryRetentionDays, 30);
      await messenger.send(message({ target: 'old@example.com', purpose: 'email_changed' }));
      await messenger.send(message({ target: 'young@example.com', purpose: 'email_changed' }));
      await service.query(
        `UPDATE message_delivery SET at = now() - interval '31 days' WHERE target = 'o***@example.com'`,
      );
      await service.query(
        `UPDATE message_delivery SET at = now() - interval '29 days' WHERE target = 'y***@example.com'`,
      );
      await service.app.get(DeliveryRetentionJob, { strict: false }).enforce();
      expect((await list('purpose=email_changed')).items.map(({ target }) => target)).toEqual(['y***@example.com']);
    });

    it('count in the metrics', async () => {
      await messenger.send(message());
      const { text } = await service.client().get('/metrics', LOCAL);
      expect(text).toMatch(/castellan_deliveries_total\{channel="email",provider="console",outcome="accepted"\} [1-9]/);
    });
  });

  describe('with a mail server', () => {
    let sink: SmtpSink;
    const setUp = (host: string | null, port: number | null): Promise<Answer> =>
      admin.put('/api/setting', {
        updates: [
          { key: smtpHost.key, value: host },
          { key: smtpPort.key, value: port },
          { key: mailFrom.key, value: 'Castle <no-reply@id.example>' },
        ],
      });

    beforeEach(async () => {
      sink = await SmtpSink.start({ hideSTARTTLS: true });
      expect((await setUp('127.0.0.1', sink.port)).status).toBe(200);
    });

    afterEach(async () => {
      await setUp(null, null);
      await sink.stop();
    });

    it('go to the server immediately, and no longer to the inbox or the log', async () => {
      expect(
        await messenger.send(message({ target: 'smtp@example.com', values: { code: '739152', minutes: '10' } })),
      ).toBe('accepted');
      expect(sink.mails.map(({ to }) => to)).toEqual([['smtp@example.com']]);
      expect(sink.mails[0]!.mail.text).toContain('739152');
      expect(messagesTo(service, 'smtp@example.com')).toEqual([]);
      expect(service.logLines.filter((line) => line.includes('739152'))).toEqual([]);
    });

    it('record the result of the server', async () => {
      sink.answer = (reply) => {
        reply(smtpError(550, 'no such user'));
      };
      expect(await messenger.send(message({ purpose: 'phone_changed' }))).toBe('rejected');
      expect((await list('purpose=phone_changed')).items).toMatchObject([
        { outcome: 'rejected', provider: 'smtp', provider_code: '550' },
      ]);
    });

    it('follow the settings to another server', async () => {
      const next = await SmtpSink.start({ hideSTARTTLS: true });
      try {
        await setUp('127.0.0.1', next.port);
        expect(await messenger.send(message({ target: 'next@example.com' }))).toBe('accepted');
        expect(next.mails).toHaveLength(1);
      } finally {
        await next.stop();
      }
    });
  });

  describe('with an SMS provider', () => {
    const secret = 'the-secret-of-the-hook';
    const sms = (): Message => message({ channel: 'sms', target: '+8613700137000', values: { code: '640917' } });
    let reply: VendorReply = answer(200, { id: 'hook-1' });
    let vendor: Vendor;

    const setUp = async (url: string): Promise<void> => {
      const updates = [
        { key: 'sms.provider', value: url === '' ? 'console' : 'http' },
        { key: 'sms.http.url', value: url },
        { key: 'sms.http.secret', value: secret },
      ];
      expect((await admin.put('/api/setting', { updates })).status).toBe(200);
    };

    beforeAll(async () => {
      vendor = await Vendor.start((request) => (isHookSigned(request, secret) ? reply : answer(403, {})));
      await setUp(vendor.origin);
    });

    afterAll(async () => {
      await setUp('');
      await vendor.stop();
    });

    it.each<[string, VendorReply, string]>([
      ['accepts the message', answer(200, { id: 'hook-1' }), 'accepted'],
      [
        'rejects the message and repeats the request',
        answer(400, { code: 'no', secret, code_sent: '640917' }),
        'rejected',
      ],
      ['breaks', answer(500, '640917'), 'unknown'],
      ['closes the connection', (response) => response.destroy(), 'unknown'],
    ])('call a provider once that %s, and log neither code, number nor secret', async (_, answered, outcome) => {
      reply = answered;
      const before = vendor.requests.length;
      expect(await messenger.send(sms())).toBe(outcome);
      expect(vendor.requests.length - before).toBe(1);
      expect((await list('target=%2B8613700137000')).items[0]).toMatchObject({ outcome, provider: 'http' });
      const spilled = service.logLines.filter((line) => /640917|13700137000|the-secret-of-the-hook/.test(line));
      expect(spilled).toEqual([]);
    });
  });

  describe('in production', () => {
    itOnServer('are neither offered nor shown for a channel that is not set up', async () => {
      const production = await service.another({ environment: IN_PRODUCTION });
      const inProduction = production.app.get(MessengerService, { strict: false });
      for (const [channel, target] of [
        ['email', 'prod@example.com'],
        ['sms', '+8613800138000'],
      ] as const) {
        expect([channel, await inProduction.isOffered(channel)]).toEqual([channel, false]);
        expect(await inProduction.send(message({ channel, target, values: { code: '591827' } }))).toBe('rejected');
      }
      const headers = { host: 'id.example.com' };
      expect((await production.client().get('/dev/inbox', { ...LOCAL, headers })).status).toBe(404);
      expect(production.logLines.filter((line) => line.includes('591827'))).toEqual([]);
    });
  });
});
