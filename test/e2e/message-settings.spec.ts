import { declaredSettings } from '../../src/platform/settings';
import { Mail, Mailer, MessengerService, SendResult } from '../../src/messaging';
import type { DeliveryList } from '../support/receivers/delivery-list';
import { userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('message settings', () => {
  let service: TestService;
  let admin: TestClient;
  let clerk: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    clerk = (await userWith(service, admin, 'clerk', 'setting:update', 'setting:read')).client;
  });

  type Change = [key: string, value: unknown];
  const change = (as: TestClient, ...changes: Change[]): Promise<Answer<Problem>> =>
    as.put<Problem>('/api/setting', { updates: changes.map(([key, value]) => ({ key, value })) });
  const problems = async (as: TestClient, ...changes: Change[]): Promise<[string, string][] | number> => {
    const { status, body } = await change(as, ...changes);
    return status === 200 ? 200 : (body.errors ?? []).map(({ field, code }) => [field, code]);
  };
  const stored = async (key: string): Promise<unknown> => {
    const { body } = await admin.get<{ items: { key: string; value: unknown }[] }>('/api/setting');
    return body.items.find((item) => item.key === key)?.value;
  };

  it.each<[string, string, string, string, string]>([
    ['mail', 'email.smtp.host', 'email.smtp.password', 'smtp.example.com', 'smtp.evil.example'],
    [
      'Alibaba Cloud',
      'sms.aliyun.endpoint',
      'sms.aliyun.access_key_secret',
      'https://a.example',
      'https://evil.example',
    ],
    ['Tencent Cloud', 'sms.tencent.endpoint', 'sms.tencent.secret_key', 'https://t.example', 'evil.example'],
    ['Twilio', 'sms.twilio.endpoint', 'sms.twilio.auth_token', 'https://w.example', 'https://w.example:8443'],
    ['a web hook', 'sms.http.url', 'sms.http.secret', 'https://h.example/a', 'https://evil.example/a'],
  ])('never send the stored secret of %s to another address', async (_, place, secret, own, evil) => {
    expect(await problems(admin, [place, own], [secret, 'the real one'])).toBe(200);

    expect(await problems(admin, [place, evil])).toEqual([['updates[0].value', 'secret_needed_again']]);
    // Tries the way through an empty address or the default.
    expect(await problems(admin, [place, ''], [place, evil])).not.toBe(200);
    if ((await problems(admin, [place, ''])) === 200) {
      expect(await problems(admin, [place, evil])).toEqual([['updates[0].value', 'secret_needed_again']]);
      // Restoring the original address requires the secret too, because the service does not remember the address.
      expect(await problems(admin, [place, own], [secret, 'the real one'])).toBe(200);
    }

    // Sets the attacker's own secret first, then tries to restore the real one from the history.
    expect(await problems(admin, [place, evil], [secret, 'their own'])).toBe(200);
    const { body } = await admin.get<{ items: { version: number }[] }>(`/api/setting/${secret}/history`);
    for (const { version } of body.items) {
      const answer = await admin.post<Problem>(`/api/setting/${secret}/rollback`, { version });
      expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([400, 'secret_needed_again']);
    }
    expect(await stored(place)).toBe(evil);
  });

  it.each<[string, unknown]>([
    ['email.smtp.host', 'smtp.clerk.example'],
    ['email.smtp.username', 'evil'],
    ['email.smtp.password', 'of a clerk'],
    ['email.from', 'security@evil.example'],
    ['sms.provider', 'http'],
    ['sms.fallback_provider', 'http'],
    ['sms.http.url', 'https://evil.example/collect'],
    ['sms.http.secret', 'of a clerk'],
    ['sms.aliyun.endpoint', 'https://clerk.example'],
    ['sms.tencent.endpoint', 'https://clerk.example'],
    ['sms.twilio.account_sid', 'ACevil'],
  ])('do not let a limited administrator read codes of other users through %s', async (key, value) => {
    const before = await stored(key);
    expect(await problems(clerk, [key, value])).toContainEqual(['updates[0].value', 'escalation_denied']);
    const { errors = [] } = (await change(clerk, [key, value])).body;
    const denied = errors.find(({ code }) => code === 'escalation_denied');
    expect(denied?.detail).toContain('*:* at level 7 on every scope');
    expect(await stored(key)).toEqual(before);
  });

  it('require all permissions to restore a previous destination', async () => {
    expect(await problems(admin, ['email.from', 'first@example.com'])).toBe(200);
    expect(await problems(admin, ['email.from', 'second@example.com'])).toBe(200);
    const answer = await clerk.post<Problem>('/api/setting/email.from/rollback', { version: 1 });
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([400, 'escalation_denied']);
    expect(await problems(admin, ['email.from', null])).toBe(200);
    // Settings that do not affect the destination need only the permission to change settings.
    expect(await problems(clerk, ['code.ttl_seconds', 300])).toBe(200);
  });

  it('accept another spelling of an address, and another path of the same host', async () => {
    expect(await problems(admin, ['sms.http.url', 'https://h.example/a'], ['sms.http.secret', 's'])).toBe(200);
    expect(await problems(admin, ['sms.http.url', 'https://H.example/b?c=1'])).toBe(200);
    expect(await problems(admin, ['email.smtp.host', 'smtp.example.com'], ['email.smtp.password', 's'])).toBe(200);
    expect(await problems(admin, ['email.smtp.host', 'SMTP.example.com'])).toBe(200);
  });

  it('validate port and TLS together', async () => {
    const rejected = (index: number): [string, string][] => [[`updates[${index}].value`, 'smtp_port_secure']];
    expect(await problems(admin, ['email.smtp.port', 465])).toEqual(rejected(0));
    expect(await problems(admin, ['email.smtp.secure', true])).toEqual(rejected(0));
    expect(await problems(admin, ['email.smtp.port', 465], ['email.smtp.secure', true])).toBe(200);
    expect(await problems(admin, ['email.smtp.port', 587])).toEqual(rejected(0));
    expect(await problems(admin, ['email.smtp.port', 587], ['email.smtp.secure', false])).toBe(200);
    expect(await problems(admin, ['email.smtp.port', 2525], ['email.smtp.secure', true])).toBe(200);
    expect(await problems(admin, ['email.smtp.port', null], ['email.smtp.secure', null])).toBe(200);
  });

  it.each<[string, unknown, string]>([
    ['email.smtp.host', 'smtp.example.com:25', 'host_name'],
    ['email.smtp.host', 'smtp example', 'host_name'],
    ['email.smtp.port', 0, 'min'],
    ['email.from', 'a@example.com, b@example.com', 'sender'],
    ['email.from', 'Castle\r\nBcc: x@example.com <a@example.com>', 'sender'],
    ['email.from', 'Castle', 'sender'],
    ['sms.provider', 'pigeon', 'one_of'],
    ['sms.fallback_provider', 'console', 'one_of'],
    ['sms.aliyun.endpoint', 'https://a.example/path', 'endpoint'],
    ['sms.aliyun.endpoint', 'https://user:pass@a.example', 'endpoint'],
    ['sms.aliyun.endpoint', 'ftp://a.example', 'endpoint'],
    ['sms.twilio.account_sid', '../x', 'identifier'],
    ['sms.http.url', 'javascript:alert(1)', 'web_hook'],
    ['sms.http.url', 'https:\\\\a.example', 'web_hook'],
  ])('reject %s = %j', async (key, value, code) => {
    expect(await problems(admin, [key, value])).toEqual([['updates[0].value', code]]);
  });

  it.each<[string, unknown]>([
    ['email.from', 'a@example.com'],
    ['email.from', '城堡 <a@example.com>'],
    ['email.from', '"Castle, Inc." <a@example.com>'],
    ['sms.aliyun.endpoint', 'http://127.0.0.1:8080'],
  ])('accept %s = %j', async (key, value) => {
    expect(
      await problems(
        admin,
        [key, value],
        ...(key.startsWith('sms.aliyun') ? [['sms.aliyun.access_key_secret', 'x'] as Change] : []),
      ),
    ).toBe(200);
  });

  it('require a recent login', () => {
    const keys = declaredSettings().filter(({ key }) => /^(?:email\.|sms\.(?!default_region))/.test(key));
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter(({ sensitive }) => !sensitive)).toEqual([]);
  });

  it('are ignored when a host provides its own sender', async () => {
    const sent: Mail[] = [];
    class HostMailer extends Mailer {
      async isOffered(): Promise<boolean> {
        return true;
      }
      async send(mail: Mail): Promise<SendResult> {
        sent.push(mail);
        if (mail.to.startsWith('broken')) throw new Error(`Could not send ${mail.text}`);
        return { outcome: 'accepted', provider: 'host', providerMessageId: 'host-1' };
      }
    }
    const host = await service.another({ identity: { extensions: { mailer: HostMailer } } });
    const messenger = host.app.get(MessengerService, { strict: false });
    const message = { channel: 'email', purpose: 'login', language: 'en', values: { code: '774410' } } as const;
    expect(await messenger.send({ ...message, target: 'ann@example.com' })).toBe('accepted');
    expect(await messenger.send({ ...message, target: 'broken@example.com' })).toBe('unknown');
    expect(sent.map(({ to }) => to)).toEqual(['ann@example.com', 'broken@example.com']);
    const { body } = await admin.get<DeliveryList>('/api/delivery?page_size=2');
    expect(body.items).toMatchObject([
      { outcome: 'unknown', provider: 'custom', provider_code: 'Error' },
      { outcome: 'accepted', provider: 'host', provider_message_id: 'host-1' },
    ]);
    expect(host.logLines.filter((line) => line.includes('774410'))).toEqual([]);
  });
});
