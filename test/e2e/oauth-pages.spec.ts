import { buildEndSessionUrl } from 'openid-client';
import {
  appBackgroundColor,
  appBackgroundImage,
  appCornerRadius,
  appCustomCss,
  appFavicon,
  appFont,
  appLogo,
  appLogoDark,
  appName,
  appPrimaryColor,
} from '../../src/settings';
import { anyUserWith } from '../support/accounts/holders';
import { logInAt, registerApp } from '../support/oauth/oauth';
import { Answer, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const LANGUAGES = ['en', 'zh'] as const;
type Language = (typeof LANGUAGES)[number];

const titles = {
  error: { en: 'This login request cannot be completed', zh: '无法完成此次登录请求' },
  logout: { en: 'Log out?', zh: '要退出登录吗？' },
  still_logged_in: { en: 'You are still logged in', zh: '您仍处于登录状态' },
  logged_out: { en: 'You are logged out', zh: '您已退出登录' },
} as const;

describe('a page of the protocol', () => {
  let service: TestService;
  let ann: TestClient;
  let logoutPath: string;

  withService(async (started) => {
    service = started;
    const { admin, config } = await registerApp(service);
    ann = (await anyUserWith(service, admin)).client;
    const { id_token: hint } = await logInAt(config, ann);
    const url = buildEndSessionUrl(config, { id_token_hint: hint! });
    logoutPath = `${url.pathname}${url.search}`;
    await service.set(appName, 'Sea & Sons');
    await service.set(appLogo, 'https://cdn.example/logo.png');
    await service.set(appPrimaryColor, '#ffd400');
  });

  const show = (client: TestClient, path: string, language: Language): Promise<Answer<unknown>> =>
    client.get(path, { headers: { accept: 'text/html', 'accept-language': language } });

  const pages = (): [keyof typeof titles, TestClient, string][] => [
    ['error', ann, '/api/oauth/authorize?client_id=nobody'],
    ['error', ann, '/api/oauth/logout?id_token_hint=wrong'],
    ['logout', ann, logoutPath],
    ['still_logged_in', ann, '/api/oauth/logout/success'],
    ['logged_out', service.client(), '/api/oauth/logout/success'],
  ];

  it.each(LANGUAGES)('has the brand of the service and texts in %s', async (language) => {
    for (const [page, client, path] of pages()) {
      const { text, headers } = await show(client, path, language);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(`<h1>${titles[page][language]}</h1>`);
      expect(text).toContain(`<title>${titles[page][language]} · Sea &amp; Sons</title>`);
      expect(text).toContain('<img src="https://cdn.example/logo.png" alt="">');
      expect(text).toContain('--accent: #ffd400; --on-accent: #000;');
      expect(text).toContain('<header><picture><img ');
      const nonce = /<style nonce="([\w-]{20,})">/.exec(text)?.[1];
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' https: data:; base-uri 'none'; frame-ancestors 'none'`,
      );
    }
  });

  it('has the whole look of the login pages, and links the custom CSS last', async () => {
    await service.set(appLogoDark, '/dark.png');
    await service.set(appFavicon, '/icon.png');
    await service.set(appBackgroundColor, '#102030');
    await service.set(appBackgroundImage, '/sea.jpg');
    await service.set(appCornerRadius, 0);
    await service.set(appFont, 'Georgia');
    await service.set(appCustomCss, 'main { color: red }');
    for (const [, client, path] of pages()) {
      const { text } = await show(client, path, 'en');
      expect(text).toContain('<source srcset="/dark.png" media="(prefers-color-scheme: dark)">');
      expect(text).toContain('<link rel="icon" href="/icon.png">');
      expect(text).toContain(
        '--radius: 0px; --font: Georgia; --brand-back: #102030; --on-back: #fff; --image: url("/sea.jpg");',
      );
      expect(text).toContain('<header class="on-image"><picture>');
      expect(text).toMatch(
        /<\/style>\n<link rel="stylesheet" nonce="([\w-]+)" href="\/api\/branding\/[\w-]{43}\.css">\n<\/head>/,
      );
    }
  });

  it('never repeats a nonce', async () => {
    const policies = await Promise.all([1, 2].map(async () => (await show(ann, logoutPath, 'en')).headers));
    expect(new Set(policies.map((headers) => headers['content-security-policy'])).size).toBe(2);
  });

  it('escapes what the request contains', async () => {
    const { text } = await show(ann, '/api/oauth/authorize?client_id=%3Cscript%3E&response_type=%3Cb%3E', 'en');
    expect(text).not.toMatch(/<script|<b>/);
  });

  it('responds with JSON to a client that prefers it', async () => {
    const answer = await ann.get('/api/oauth/authorize?client_id=nobody', { headers: { accept: 'application/json' } });
    expect(answer.body).toMatchObject({ error: 'invalid_client' });
  });
});
