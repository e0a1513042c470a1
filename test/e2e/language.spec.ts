import { defaultLocale } from '../../src/platform/http';
import { expectProblem } from '../support/service/expect-problem';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ENGLISH = 'This does not exist, or you may not see it.';
const LOG_IN = { en: 'Log in to continue.' };

let service: TestService;
let stranger: TestClient;
let chinese: TestClient;

withService(async (started) => {
  service = started;
  stranger = service.client();
  chinese = await service.signUp('mei');
  await chinese.patch('/api/auth/me', { locale: 'zh' });
});

interface LanguageInput {
  readonly query?: string;
  readonly cookie?: string;
  readonly header?: string;
}

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

async function languageOf(
  client: TestClient,
  path: string,
  { query, cookie, header }: LanguageInput,
): Promise<'en' | 'zh'> {
  const answer = await client.get<Problem>(query === undefined ? path : `${path}?lang=${query}`, {
    cookie: [client.cookie, cookie === undefined ? '' : `iam_lang=${cookie}`].filter((part) => part !== '').join('; '),
    headers: { ...(header !== undefined && { 'accept-language': header }) },
  });
  expect(answer.status).toBe(404);
  const texts = [answer.body.title, answer.body.detail];
  expect(new Set(texts.map(isChinese)).size).toBe(1);
  return isChinese(answer.body.detail) ? 'zh' : 'en';
}

describe('language of a response', () => {
  it.each<[LanguageInput, 'en' | 'zh']>([
    [{}, 'en'],
    [{ header: 'zh-CN,zh;q=0.9,en;q=0.8' }, 'zh'],
    [{ header: 'fr' }, 'en'],
    [{ header: 'zh;q=0.1, en;q=0.9' }, 'en'],
    [{ header: 'zh;q=0' }, 'en'],
    [{ header: ',,;;q=zz,'.repeat(9) }, 'en'],
    [{ cookie: 'zh' }, 'zh'],
    [{ cookie: 'zh', header: 'en' }, 'zh'],
    [{ cookie: 'xx', header: 'zh' }, 'zh'],
    [{ query: 'en', cookie: 'zh', header: 'zh' }, 'en'],
    [{ query: 'zh', cookie: 'en', header: 'en' }, 'zh'],
    [{ query: 'zh-Hans-CN' }, 'zh'],
    [{ query: 'ZH' }, 'zh'],
    [{ query: 'xx', cookie: 'zh' }, 'zh'],
    [{ query: '', header: 'zh' }, 'zh'],
    [{ query: '__proto__' }, 'en'],
  ])('for an anonymous client with %j is %s', async (input, language) => {
    expect(await languageOf(stranger, '/api/nothing', input)).toBe(language);
  });

  const own = '/api/auth/sessions/rubbish';

  it.each<[LanguageInput, 'en' | 'zh']>([
    [{}, 'zh'],
    [{ header: 'en' }, 'zh'],
    [{ cookie: 'en', header: 'en' }, 'zh'],
    [{ query: 'xx', cookie: 'en' }, 'zh'],
    [{ query: 'en', cookie: 'zh' }, 'en'],
    [{ query: 'en-GB' }, 'en'],
    [{ query: 'zh' }, 'zh'],
  ])('for a user with the locale zh and %j is %s', async (input, language) => {
    const { query, ...rest } = input;
    const answer = await chinese.delete<Problem>(query === undefined ? own : `${own}?lang=${query}`, {
      cookie: `${chinese.cookie}${rest.cookie === undefined ? '' : `; iam_lang=${rest.cookie}`}`,
      headers: { ...(rest.header !== undefined && { 'accept-language': rest.header }) },
    });
    expectProblem(answer, 404, 'not_found');
    expect(isChinese(answer.body.detail)).toBe(language === 'zh');
  });

  it('falls back to the setting', async () => {
    await service.set(defaultLocale, 'zh');
    try {
      expect(await languageOf(stranger, '/api/nothing', {})).toBe('zh');
      expect(await languageOf(stranger, '/api/nothing', { header: 'en' })).toBe('en');
      expect(await languageOf(stranger, '/api/nothing', { header: 'fr' })).toBe('zh');
    } finally {
      await service.set(defaultLocale, 'en');
    }
    expect((await stranger.get<Problem>('/api/nothing')).body.detail).toBe(ENGLISH);
  });

  it('translates every sentence of an error but neither code nor field', async () => {
    const ask = (language: string) => stranger.post<Problem>(`/api/auth/register?lang=${language}`, { username: 'a' });
    const [english, other] = [await ask('en'), await ask('zh')];
    const stable = ({ code, errors }: Problem): unknown => [code, errors?.map((error) => [error.field, error.code])];
    expect(stable(other.body)).toEqual(stable(english.body));
    const sentences = [other.body.title, other.body.detail, ...(other.body.errors ?? []).map(({ detail }) => detail)];
    expect(sentences.map(isChinese)).toEqual(sentences.map(() => true));
  });

  it('applies to errors that occur before any controller', async () => {
    const details = [
      (
        await stranger.send<Problem>('POST', '/api/auth/login?lang=zh', {
          raw: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).body,
      (await stranger.send<Problem>('POST', '/api/auth/login?lang=zh', { raw: 'x' })).body,
      (await stranger.send<Problem>('POST', '/api/auth/login?lang=zh', { body: 'x'.repeat(70_000) })).body,
      (await stranger.send<Problem>('POST', '/api/auth/logout?lang=zh', { headers: { origin: 'null' } })).body,
      (await stranger.get<Problem>('/api/auth/me?lang=zh')).body,
      (await stranger.get<Problem>('/%ff', { headers: { 'accept-language': 'zh' } })).body,
    ];
    expect(details.map(({ code, detail }) => [code, isChinese(detail)])).toEqual([
      ['malformed_json', true],
      ['unsupported_media_type', true],
      ['payload_too_large', true],
      ['csrf_rejected', true],
      ['unauthenticated', true],
      ['not_found', true],
    ]);
    expect((await stranger.get<Problem>('/api/auth/me')).body.detail).toBe(LOG_IN.en);
  });
});
