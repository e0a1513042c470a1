import type {
  MessageTemplateDto,
  MessageTemplateVersionDto,
} from '../../src/messaging/templates/dto/message-template.dto';
import { MessageTemplatesService, RenderedMessage } from '../../src/messaging/templates';
import { appLogo, appName } from '../../src/settings';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Preview {
  subject: string | null;
  text: string;
  html: string | null;
  sms_segments: number | null;
}

const PATH = '/api/message-template';
const MAIL = `${PATH}/email/login/en`;
const SMS = `${PATH}/sms/login/zh`;

describe('message templates', () => {
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
  const get = async (path: string): Promise<MessageTemplateDto> => (await admin.get<MessageTemplateDto>(path)).body;
  const put = (path: string, body: object): Promise<Answer<MessageTemplateDto>> => admin.put(path, body);
  const history = async (path: string): Promise<MessageTemplateVersionDto[]> =>
    (await admin.get<{ items: MessageTemplateVersionDto[] }>(`${path}/history`)).body.items;
  const rollback = <T = MessageTemplateDto>(path: string, version: unknown): Promise<Answer<T>> =>
    admin.post<T>(`${path}/rollback`, { version });
  const rendered = (from: TestService, channel: 'email' | 'sms' = 'email'): Promise<RenderedMessage> =>
    from.app.get(MessageTemplatesService).render({
      channel,
      purpose: 'login',
      target: 'ann@example.com',
      language: channel === 'email' ? 'en' : 'zh',
      values: { code: '004711', minutes: '5' },
    });

  it('are listed, one for each channel, purpose and language, in this order', async () => {
    const { status, body } = await admin.get<{ items: MessageTemplateDto[] }>(PATH);
    expect(status).toBe(200);
    const names = body.items.map(({ channel, purpose, locale }) => `${channel} ${purpose} ${locale}`);
    expect(names).toHaveLength(2 * 18 * 2);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 3)).toEqual(['email register en', 'email register zh', 'email login en']);
    expect(body.items[2]).toEqual({
      channel: 'email',
      purpose: 'login',
      locale: 'en',
      subject: 'Your code to log in to {app}',
      text: expect.stringContaining('\n\n{code}\n\n') as string,
      html: null,
      provider_template: null,
      placeholders: ['code', 'minutes', 'app', 'username'],
      is_default: true,
      version: 0,
      updated_at: null,
      updated_by: null,
    });
    expect(await get(MAIL)).toEqual(body.items[2]);
  });

  it.each(['email/login/fr', 'fax/login/en', 'email/other/en', 'email/login/EN', 'email/constructor/en'])(
    'are not known at %s',
    async (path) => {
      expect((await admin.get(`${PATH}/${path}`)).status).toBe(404);
      expect((await admin.put(`${PATH}/${path}`, { text: '{code}' })).status).toBe(404);
      expect((await admin.get(`${PATH}/${path}/history`)).status).toBe(404);
      expect((await rollback(`${PATH}/${path}`, 0)).status).toBe(404);
      expect((await admin.post(`${PATH}/${path}/preview`, {})).status).toBe(404);
    },
  );

  describe('changes', () => {
    it('create a version that is effective immediately, and on other instances within a second', async () => {
      const other = await service.another();
      expect((await rendered(other, 'sms')).text).toBe(
        '您的 Castellan 登录验证码为 004711，5 分钟内有效，请勿告知他人。',
      );
      // Fills the cache, which the change must invalidate.
      await rendered(service, 'sms');
      const text = '{app}：{code}，有效期 {minutes} 分钟。';
      const answer = await put(SMS, { text, provider_template: 'SMS_4711', reason: 'shorter' });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        text,
        provider_template: 'SMS_4711',
        subject: null,
        is_default: false,
        version: 1,
        updated_by: adminId,
      });
      expect(await get(SMS)).toEqual(answer.body);
      const sent = {
        text: 'Castellan：004711，有效期 5 分钟。',
        providerTemplate: 'SMS_4711',
        parameters: { code: '004711', minutes: '5' },
      };
      expect(await rendered(service, 'sms')).toEqual(sent);
      await eventually(
        () => rendered(other, 'sms'),
        (message) => message.text === sent.text,
        1.2,
      );
    });

    it('record the previous text in history and audit', async () => {
      const path = `${PATH}/email/bind/en`;
      const fallback = await get(path);
      await put(path, { text: 'One {code}', subject: 'One' });
      await put(path, { text: 'Two {code}', html: '<p>{code}</p>', reason: 'nicer' });
      const [second, first, ...more] = await history(path);
      expect(more).toEqual([]);
      const one = { subject: 'One', text: 'One {code}', html: null, provider_template: null };
      const two = { subject: null, text: 'Two {code}', html: '<p>{code}</p>', provider_template: null };
      expect(first).toMatchObject({ version: 1, from: null, to: one, changed_by: adminId, reason: null });
      expect(second).toMatchObject({ version: 2, from: one, to: two, reason: 'nicer' });
      const { body } = await admin.get<{ items: Record<string, unknown>[] }>(
        '/api/audit?action=message_template.update&target_id=email/bind/en',
      );
      expect(body.items).toMatchObject([
        { reason: 'nicer', before: { ...one, version: 1 }, after: { ...two, version: 2 } },
        {
          target: { type: 'message_template', id: 'email/bind/en' },
          before: { subject: fallback.subject, text: fallback.text, version: 0 },
          after: { ...one, version: 1 },
        },
      ]);
    });

    it('restore any version and the default', async () => {
      const path = `${PATH}/email/register/en`;
      const fallback = await get(path);
      await put(path, { text: 'One {code}' });
      await put(path, { text: 'Two {code}' });
      expect((await rollback(path, 1)).body).toMatchObject({ text: 'One {code}', version: 3, is_default: false });
      const { status, body } = await rollback(path, 0);
      expect(status).toBe(200);
      expect(body).toMatchObject({ text: fallback.text, subject: fallback.subject, version: 4, is_default: true });
      expect((await history(path)).map(({ version, to }) => [version, to?.text])).toEqual([
        [4, undefined],
        [3, 'One {code}'],
        [2, 'Two {code}'],
        [1, 'One {code}'],
      ]);
      // Rolling back to a version that restored the default restores it again.
      await put(path, { text: 'Five {code}' });
      expect((await rollback(path, 4)).body).toMatchObject({ version: 6, is_default: true });
      expectProblem(await rollback<Problem>(path, 99), 404, 'not_found');
      const actions = await admin.get<{ items: { action: string }[] }>('/api/audit?action=message_template.rollback');
      expect(actions.body.items).toHaveLength(3);
    });

    it('succeed for one of two callers with the same version', async () => {
      const path = `${PATH}/email/reset_password/en`;
      const answers = await Promise.all(
        ['One', 'Two', 'Three'].map((word) => put(path, { text: `${word} {code}`, version: 0 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expectProblem(
        answers.find(({ status }) => status === 409)!,
        409,
        'version_conflict',
      );
      expect(await history(path)).toHaveLength(1);
      expect((await put(path, { text: 'Four {code}', version: 1 })).body.version).toBe(2);
    });

    it('succeed one after the other without a version', async () => {
      const path = `${PATH}/email/reset_password/zh`;
      const answers = await Promise.all(['一', '二', '三'].map((word) => put(path, { text: `${word} {code}` })));
      expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3]);
    });

    it('are rejected with every broken rule', async () => {
      const path = `${PATH}/email/login/zh`;
      const rejected = async (body: object, at = path): Promise<[string, string][]> => {
        const answer = await put(at, body);
        expect(answer.status).toBe(400);
        return failures(answer);
      };
      expect(await rejected({})).toEqual([['text', 'required']]);
      expect(await rejected({ text: 'Hello {ip}', subject: 'Code {code}', html: '<script>' })).toEqual([
        ['text', 'unknown_placeholder'],
        ['text', 'code_missing'],
        ['subject', 'code_in_subject'],
        ['html', 'mail_html'],
        ['html', 'code_missing'],
      ]);
      expect(await rejected({ text: '{code}', html: '<img alt="x" src="https://evil.example/{code}">' })).toEqual([
        ['html', 'mail_html'],
      ]);
      expect(await rejected({ text: '{code}', version: 'x', other: 1 })).toEqual(
        expect.arrayContaining([['other', 'unknown_field']]),
      );
      expect(await rejected({ text: 'a'.repeat(4_001) })).toEqual([['text', 'max_length']]);
      expect(await rejected({ text: `{code}${'码'.repeat(202)}`, subject: 'x' }, `${PATH}/sms/login/en`)).toEqual([
        ['subject', 'mail_only'],
        ['text', 'sms_too_long'],
      ]);
      expect(await rejected({ text: '{code}', provider_template: 'a b' }, `${PATH}/sms/login/en`)).toEqual([
        ['provider_template', 'provider_template'],
      ]);
      expect(await get(path)).toMatchObject({ version: 0, is_default: true });
    });
  });

  it('insert values on one line and literally', async () => {
    await put(`${PATH}/email/phone_changed/en`, {
      subject: 'For {username}',
      text: '{username}',
      html: '<p>{contact}</p>',
    });
    const message = await service.app.get(MessageTemplatesService).render({
      channel: 'email',
      purpose: 'phone_changed',
      target: 'ann@example.com',
      language: 'en',
      values: { username: 'ann\r\nBcc: eve@example.com', contact: '<img src=x>{app}' },
    });
    expect(message).toMatchObject({
      subject: 'For ann Bcc: eve@example.com',
      text: 'ann Bcc: eve@example.com',
      html: '<p>&lt;img src=x&gt;{app}</p>',
    });
  });

  describe('previews', () => {
    const preview = <T = Preview>(path: string, body: object = {}): Promise<Answer<T>> =>
      admin.post<T>(`${path}/preview`, body);

    it('use sample values and the branding of the service, and store nothing', async () => {
      await service.set(appName, 'A & <B>');
      const { status, body } = await preview(MAIL);
      await service.set(appName, 'Castellan');
      expect(status).toBe(200);
      expect(body).toMatchObject({ subject: 'Your code to log in to A & <B>', sms_segments: null });
      expect(body.text).toContain('\n\n123456\n\n');
      expect(body.html).toContain('A &amp; &lt;B&gt;');
      expect(body.html).not.toContain('<B>');
      expect(body.html).not.toMatch(/\{[a-z]+\}/);
      expect((await get(MAIL)).version).toBe(0);
    });

    it.each([
      ['https://cdn.example/{code}.png', ['https://cdn.example/%7Bcode%7D.png']],
      // A mail has no address that a path could belong to.
      ['/logo.png', []],
      ['', []],
    ])('show the logo %j only at an absolute address, without the code', async (logo, addresses) => {
      await service.set(appLogo, logo);
      const { body } = await preview(MAIL);
      await service.set(appLogo, '');
      const found = Array.from(body.html?.matchAll(/<img src="([^"]*)"/g) ?? [], ([, address]) => address);
      expect(found).toEqual(addresses);
      expect(body.text).not.toContain('cdn.example');
    });

    it('show the text of the draft', async () => {
      expect(
        (await preview(MAIL, { text: 'Code: {code}', html: '<p>{code}</p>', subject: 'Hello {username}' })).body,
      ).toEqual({
        subject: 'Hello ann',
        text: 'Code: 123456',
        html: '<p>123456</p>',
        sms_segments: null,
      });
      expect((await preview(`${PATH}/sms/new_device/zh`)).body).toMatchObject({
        subject: null,
        html: null,
        sms_segments: 2,
      });
    });

    it('require a valid draft', async () => {
      const answer = await preview<Problem>(MAIL, { text: 'no code' });
      expect([answer.status, failures(answer)]).toEqual([400, [['text', 'code_missing']]]);
    });
  });

  it('require message_template:read to read, which allows neither change nor preview', async () => {
    const { client: reader } = await userWith(service, admin, 'reader', 'message_template:read');
    expect((await reader.get(PATH)).status).toBe(200);
    expect((await reader.get(MAIL)).status).toBe(200);
    expect((await reader.get(`${MAIL}/history`)).status).toBe(200);
    const rejected = await Promise.all([
      reader.put(MAIL, { text: '{code}' }),
      reader.post(`${MAIL}/rollback`, { version: 0 }),
      reader.post(`${MAIL}/preview`, {}),
      reader.post(`${MAIL}/test`, { target: 'eve@example.com' }),
    ]);
    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(messagesTo(service, 'eve@example.com')).toEqual([]);
  });

  it('require message_template:update to change', async () => {
    const { client: writer } = await userWith(service, admin, 'writer', 'message_template:update');
    expect((await writer.put(`${PATH}/email/new_device/zh`, { text: '{ip}' })).status).toBe(200);
    expect((await writer.get(PATH)).status).toBe(403);
  });
});
