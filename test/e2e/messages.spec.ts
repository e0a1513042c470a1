import { codesPerHourPerChannel } from '../../src/verification';
import { allowedPrefixes, maxHourlyNotices, notifyNewDevice } from '../../src/messaging';
import { InboxMessage, Mailer, SendResult } from '../../src/messaging/delivery';
import { Account, proveContacts } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { lastCode, messagesTo } from '../support/receivers/inbox';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const PATH = '/api/message-template';

describe('messages', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
  });

  const failures = (answer: Answer<unknown>): [string, string][] =>
    ((answer.body as Problem).errors ?? []).map(({ field, code }) => [field, code]);

  describe('test messages of a template', () => {
    const attempt = <T = { outcome: string }>(path: string, target: unknown): Promise<Answer<T>> =>
      admin.post<T>(`${path}/test`, { target });

    it('are sent by mail with sample values, recorded and audited', async () => {
      await admin.put(`${PATH}/email/new_device/zh`, { text: '{device}, {ip}', subject: 'New: {device}' });
      const { status, body } = await attempt(`${PATH}/email/new_device/zh`, 'Bob@example.com');
      expect([status, body]).toEqual([202, { outcome: 'accepted' }]);
      expect(messagesTo(service, 'Bob@example.com')).toMatchObject([
        { channel: 'email', subject: 'New: Firefox (Linux)', text: 'Firefox (Linux), 203.0.113.7' },
      ]);
      const deliveries = await admin.get<{ items: object[] }>('/api/delivery?cursor=');
      expect(deliveries.body.items[0]).toMatchObject({
        channel: 'email',
        purpose: 'new_device',
        target: 'b***@example.com',
        outcome: 'accepted',
        user_id: adminId,
      });
      const audit = await admin.get<{ items: object[] }>('/api/audit?action=message_template.test');
      expect(audit.body.items).toMatchObject([
        { target: { id: 'email/new_device/zh' }, after: { target: 'b***@example.com' } },
      ]);
    });

    it('are sent by SMS to a number in any accepted spelling', async () => {
      expect((await attempt(`${PATH}/sms/register/zh`, '13800138001')).status).toBe(202);
      expect(messagesTo(service, '+8613800138001')).toMatchObject([{ channel: 'sms' }]);
    });

    it.each([
      ['email', 'a@example.com,b@example.com', 'email'],
      ['email', '+8613800138001', 'email'],
      ['sms', 'ann@example.com', 'phone'],
      ['sms', '123', 'phone'],
    ])('are rejected over %s to %j', async (channel, target, code) => {
      const answer = await attempt<Problem>(`${PATH}/${channel}/login/en`, target);
      expect([answer.status, failures(answer)]).toEqual([400, [['target', code]]]);
    });

    it.each(['rejected', 'throttled'] as const)('report a failure when the channel returns "%s"', async (outcome) => {
      const send = jest.spyOn(service.app.get(Mailer, { strict: false }), 'send');
      send.mockResolvedValueOnce({ outcome, provider: 'smtp' });
      const { status, body } = await attempt<Problem>(`${PATH}/email/login/en`, 'ann@example.com');
      send.mockRestore();
      expectProblem({ status, body }, 502, 'delivery_failed');
    });

    it('are recorded with sanitized values of the channel', async () => {
      const said = `码${'x'.repeat(300)}`;
      const texts = { provider: said, providerCode: said, providerMessageId: said, costClass: said };
      const send = jest.spyOn(service.app.get(Mailer, { strict: false }), 'send');
      send.mockResolvedValueOnce({ outcome: 'accepted', ...texts });
      expect((await attempt(`${PATH}/email/login/en`, 'odd@example.com')).status).toBe(202);
      send.mockRestore();
      const { body } = await admin.get<{ items: object[] }>('/api/delivery?target=odd@example.com');
      const kept = (length: number): string => `?${'x'.repeat(length - 1)}`;
      const [name, code] = [kept(32), kept(128)];
      expect(body.items).toMatchObject([
        { outcome: 'accepted', provider: name, provider_code: code, provider_message_id: code, cost_class: name },
      ]);
    });

    it('obey the allowed prefixes and rate limits of codes', async () => {
      await service.set(allowedPrefixes, ['+1']);
      const foreign = await attempt<Problem>(`${PATH}/sms/login/en`, '+8613800138002');
      expect([foreign.status, failures(foreign)]).toEqual([400, [['target', 'phone_not_served']]]);
      await service.set(allowedPrefixes, []);
      await service.set(codesPerHourPerChannel, 1);
      await attempt(`${PATH}/sms/login/en`, '+8613800138002');
      expectProblem(await attempt<Problem>(`${PATH}/sms/login/en`, '+8613800138003'), 429, 'rate_limited');
      await service.set(codesPerHourPerChannel, codesPerHourPerChannel.defaultValue);
      expect(messagesTo(service, '+8613800138003')).toEqual([]);
    });

    it('are rejected on a channel that is not set up', async () => {
      const offered = jest.spyOn(service.app.get(Mailer, { strict: false }), 'isOffered').mockResolvedValueOnce(false);
      const { status, body } = await attempt<Problem>(`${PATH}/email/login/en`, 'eve@example.com');
      offered.mockRestore();
      expectProblem({ status, body }, 403, 'verification_disabled');
      expect(messagesTo(service, 'eve@example.com')).toEqual([]);
    });
  });

  it('templates that break a rule cannot be restored', async () => {
    await service.query(
      `INSERT INTO message_template (channel, purpose, locale, version, text) VALUES
         ('email', 'bind', 'en', 1, 'https://evil.example/{code}'), ('email', 'bind', 'en', 2, '{code}')`,
    );
    const answer = await admin.post<Problem>(`${PATH}/email/bind/en/rollback`, { version: 1 });
    expect([answer.status, failures(answer)]).toEqual([400, [['version', 'former_rules']]]);
    const { body } = await admin.get<{ text: string; version: number }>(`${PATH}/email/bind/en`);
    expect([body.text, body.version]).toEqual(['{code}', 2]);
  });

  describe('account notices', () => {
    const OLD_PHONE = '+8613900139001';
    const NEW_PHONE = '+8613900139002';
    let people = 0;

    /** Creates a logged-in user with a verified address and number. */
    async function person(more: object = {}): Promise<{ name: string; email: string; client: TestClient; id: string }> {
      people += 1;
      const name = `person${people}`;
      const email = `${name}@example.com`;
      const client = await service.signUp(name, { email, ...more });
      await proveContacts(service, name);
      const { body } = await client.get<{ id: string }>('/api/auth/me');
      return { name, email, client, id: body.id };
    }
    /** Messages to the target, once `count` of them have arrived. */
    const arrived = (target: string, count: number): Promise<InboxMessage[]> =>
      eventually(
        async () => messagesTo(service, target),
        (messages) => messages.length >= count,
      );

    it('go to the previous and the new address and to the phone when the address changes', async () => {
      const { name, email, client } = await person({ phone: OLD_PHONE });
      const answer = await client.patch('/api/auth/me', { email: 'Changed@example.com' });
      expect(answer.status).toBe(200);
      const [toOld] = await arrived(email, 1);
      expect(toOld).toMatchObject({ subject: 'The e-mail address of your Castellan account was changed' });
      expect(toOld!.text).toContain(`Hello ${name},`);
      expect(toOld!.text).toContain('New address: c***@example.com');
      expect(toOld!.text).toMatch(/on \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
      expect(toOld!.html).toContain(`Hello ${name},`);
      expect(await arrived('Changed@example.com', 1)).toHaveLength(1);
      expect((await arrived(OLD_PHONE, 1))[0]!.text).toContain('c***@example.com');
      await client.patch('/api/auth/me', { phone: null });
    });

    it('go to the previous and the new address when an administrator changes it', async () => {
      const { email, id } = await person();
      expect((await admin.patch(`/api/user/${id}`, { email: 'given@example.com' })).status).toBe(200);
      const subject = 'The e-mail address of your Castellan account was changed';
      expect((await arrived(email, 1))[0]).toMatchObject({ subject });
      expect((await arrived('given@example.com', 1))[0]).toMatchObject({ subject });
    });

    it('go to the previous and the new number and to the address, in the language of the user', async () => {
      const { email, client } = await person({ phone: OLD_PHONE });
      await client.patch('/api/auth/me', { locale: 'zh' });
      const before = messagesTo(service, OLD_PHONE).length;
      await client.patch('/api/auth/me', { phone: NEW_PHONE });
      const [toOld] = await arrived(OLD_PHONE, before + 1);
      expect(toOld!.text).toMatch(/^您的 Castellan 账号 person\d+ 的手机号已于 .+ 更换为 \+86\S*02。/);
      expect((await arrived(NEW_PHONE, 1))[0]!.text).toBe(toOld!.text);
      expect((await arrived(email, 1))[0]).toMatchObject({ subject: '您的 Castellan 账号手机号已更换' });
      await client.patch('/api/auth/me', { phone: null });
      const [removed] = await arrived(email, 2);
      expect(removed!.text).toContain('新手机号：无（已移除）');
    });

    it('do not go to a number of a country that is not allowed', async () => {
      await service.set(allowedPrefixes, ['+86']);
      const { email, client } = await person({ phone: OLD_PHONE });
      const before = messagesTo(service, OLD_PHONE).length;
      const foreign = '+12025550123';
      expect((await client.patch('/api/auth/me', { phone: foreign })).status).toBe(200);
      await arrived(OLD_PHONE, before + 1);
      await arrived(email, 1);
      // The next message shows that no other came before it.
      await client.patch('/api/auth/me', { phone: null, email: 'later@example.com' });
      await arrived('later@example.com', 1);
      expect(messagesTo(service, foreign)).toEqual([]);
      await service.set(allowedPrefixes, []);
    });

    it('are sent for a password change by the user, an administrator or a code', async () => {
      const { email, client, id } = await person();
      const next = 'another long password';
      expect(
        (await client.put('/api/auth/me/password', { current_password: PASSWORD, new_password: next })).status,
      ).toBe(204);
      await arrived(email, 1);
      expect((await admin.put(`/api/user/${id}/password`, { new_password: `${next} 2` })).status).toBe(204);
      await arrived(email, 2);
      const guest = service.client();
      await guest.post('/api/auth/codes', { purpose: 'reset_password', channel: 'email', target: email });
      await arrived(email, 3);
      const code = lastCode(service, email);
      const reset = { channel: 'email', target: email, code, new_password: `${next} 3` };
      expect((await guest.post('/api/auth/password/reset', reset)).status).toBe(204);
      const messages = await arrived(email, 4);
      const subjects = messages.map(({ subject }) => subject);
      expect(subjects.filter((subject) => subject === 'Your Castellan password was changed')).toHaveLength(3);
      expect(messages[0]!.text).not.toContain(code);
    });

    it('do not go to an unverified contact or for a rejected change', async () => {
      const { name, client } = await person();
      await service.query(`UPDATE user_account SET email_verified = false WHERE username = $1`, [name]);
      const claim = `${name}@example.com`;
      expect((await client.patch('/api/auth/me', { email: 'stranger@example.com' })).status).toBe(200);
      const { email: taken, client: owner } = await person();
      expect((await owner.patch('/api/auth/me', { email: 'stranger@example.com' })).status).toBe(409);
      expect((await owner.patch('/api/auth/me', { nickname: 'Somebody' })).status).toBe(200);
      expect((await owner.patch('/api/auth/me', { email: 'told@example.com' })).status).toBe(200);
      await arrived('told@example.com', 1);
      expect(await arrived(taken, 1)).toHaveLength(1);
      expect([...messagesTo(service, 'stranger@example.com'), ...messagesTo(service, claim)]).toEqual([]);
    });

    it('announce a login from an unknown browser when the setting says so', async () => {
      const { name, email, client } = await person();
      await service.logIn(name);
      await service.set(notifyNewDevice, true);
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
      const credentials = { type: 'password', username: name, password: PASSWORD };
      // A login from a known browser sends no notice. The next messages show that none came before them.
      expect((await client.post('/api/auth/login', credentials)).status).toBe(200);
      expect((await service.client().post('/api/auth/login', credentials, { headers })).status).toBe(200);
      const [message] = await arrived(email, 1);
      expect(message).toMatchObject({ subject: 'New login to your Castellan account' });
      expect(message!.text).toContain('Device: Firefox (Linux)');
      expect(message!.text).toMatch(/IP address: [\d.]+/);
      expect(messagesTo(service, email)).toHaveLength(1);
      await service.set(notifyNewDevice, false);
    });

    it('are limited per hour and contact', async () => {
      const { email, client } = await person();
      await service.set(maxHourlyNotices, 2);
      let password = PASSWORD;
      for (let change = 0; change < 4; change++) {
        const next = `another long password ${change}`;
        const body = { current_password: password, new_password: next };
        expect((await client.put('/api/auth/me/password', body)).status).toBe(204);
        password = next;
      }
      await eventually(
        async () => service.logLines.filter((line) => line.includes('Notice not sent')).length,
        (count) => count >= 2,
      );
      expect(messagesTo(service, email)).toHaveLength(2);
      await service.set(maxHourlyNotices, 10);
    });

    it('neither delay nor fail the request', async () => {
      const { email, client } = await person();
      let give: (result: SendResult) => void = () => undefined;
      const pending = new Promise<SendResult>((resolve) => (give = resolve));
      const send = jest.spyOn(service.app.get(Mailer, { strict: false }), 'send').mockReturnValue(pending);
      const answer = await client.patch<Account>('/api/auth/me', { email: 'slow@example.com' });
      expect([answer.status, answer.body.email]).toEqual([200, 'slow@example.com']);
      await eventually(
        async () => send.mock.calls.map(([mail]) => mail.to),
        (told) => told.includes(email),
      );
      give({ outcome: 'rejected', provider: 'smtp' });
      send.mockRestore();
    });
  });
});
