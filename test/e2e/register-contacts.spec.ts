import { contactRequired } from '../../src/auth';
import { Answer, Problem } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('the required contacts', () => {
  let service: TestService;
  let names = 0;

  withService((started) => {
    service = started;
  });

  const tryWith = (more: object): Promise<Answer<Problem>> =>
    service
      .client()
      .post<Problem>('/api/auth/register', { username: `contacts_${++names}`, password: PASSWORD, ...more });
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  afterEach(() => service.set(contactRequired, 'none'));

  const contacts = { email: 'required@example.com', phone: '+8613800138999' };
  const both = ['email: email_or_phone', 'phone: email_or_phone'];

  it.each([
    ['none', [], []],
    ['email', ['phone'], ['email: required']],
    ['phone', ['email'], ['phone: required']],
    ['either', [], both],
    ['both', ['email'], ['phone: required']],
    ['both', [], ['email: required', 'phone: required']],
  ] as const)('%s is not met by %j', async (setting, given, missing) => {
    await service.set(contactRequired, setting);
    expect((await service.client().get('/api/info')).body).toMatchObject({
      registration: { contact_required: setting },
    });
    const answer = await tryWith(Object.fromEntries(given.map((name) => [name, contacts[name]])));
    expect([answer.status, fieldsOf(answer)]).toEqual([missing.length > 0 ? 400 : 201, missing]);
  });

  it.each([
    ['email', { email: 'given1@example.com' }],
    ['phone', { phone: '+8613800138991' }],
    ['either', { email: 'given2@example.com' }],
    ['either', { phone: '+8613800138992' }],
    ['both', { email: 'given3@example.com', phone: '+8613800138993' }],
  ] as const)('%s is met by %j', async (setting, given) => {
    await service.set(contactRequired, setting);
    expect((await tryWith(given)).status).toBe(201);
  });
});
