import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../platform/config';
import { attachContext, RequestContext } from '../../platform/context';
import { CookieScopesService, HostCookiesService } from '../../platform/http';
import { Setting, SettingsReader } from '../../platform/settings';
import { SessionCookiesService } from './session-cookies.service';
import type { SessionWithDbTime } from '../store/session.repository';
import type { TokenService } from './token.service';
import { fake } from '../../../test/support/service/fake';

class DefaultSettings extends SettingsReader {
  async get<T>(setting: Setting<T>): Promise<T> {
    return setting.defaultValue;
  }

  override reload(): void {
    throw new Error('Nothing was changed');
  }
}

const session = {
  id: 's',
  userId: 'u',
  counter: 1,
  remember: true,
  now: new Date(0),
  rotatedAt: new Date(0),
  expiresAt: new Date(86_400_000),
} as SessionWithDbTime;

async function write(environment: Partial<Environment>, isHttps: boolean): Promise<string[]> {
  const lines: string[] = [];
  const request = { raw: { headers: {} } } as FastifyRequest;
  attachContext(request, { origin: { origin: 'http://id.test', secure: isHttps } } as RequestContext);
  const reply = fake<FastifyReply>({ header: (_: string, line: string) => lines.push(line) });
  const tokens = fake<TokenService>({ issue: async (type: string) => `${type}-token` });
  const settings = new DefaultSettings();
  const frames = new CookieScopesService(environment as Environment, settings);
  const cookies = new SessionCookiesService(frames, new HostCookiesService(frames), settings, tokens);
  await cookies.write(request, reply, session);
  await cookies.writeBrowser(request, reply, 'device', 'device', 60);
  await cookies.clear(request, reply);
  return lines;
}

describe('SessionCookiesService', () => {
  it.each([
    { isProduction: false, cookieInsecure: false, isHttps: false, secure: false },
    { isProduction: false, cookieInsecure: false, isHttps: true, secure: true },
    { isProduction: true, cookieInsecure: false, isHttps: false, secure: true },
    { isProduction: true, cookieInsecure: false, isHttps: true, secure: true },
    { isProduction: true, cookieInsecure: true, isHttps: false, secure: false },
    { isProduction: true, cookieInsecure: true, isHttps: true, secure: true },
  ])(
    'sets Secure to $secure for production $isProduction, COOKIE_INSECURE $cookieInsecure, https $isHttps',
    async ({ isProduction, cookieInsecure, isHttps, secure }) => {
      const lines = await write({ isProduction, cookieInsecure }, isHttps);
      expect(lines).toHaveLength(5);
      for (const line of lines) expect(line.split('; ').includes('Secure')).toBe(secure);
    },
  );

  it('hides every cookie it sets or deletes from scripts', async () => {
    for (const line of await write({}, false)) expect(line.split('; ')).toContain('HttpOnly');
  });
});
