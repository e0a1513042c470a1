import {
  appBackgroundColor,
  appBackgroundImage,
  appCornerRadius,
  appCustomCss,
  appFavicon,
  appFont,
  appLogo,
  appLogoDark,
} from '../../src/settings';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Info {
  readonly branding: { readonly stylesheet: string };
}

const CSS = 'main { border-radius: 0 }\n/* 你好 </style> */';

describe('branding', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  afterEach(async () => {
    for (const setting of [appBackgroundColor, appBackgroundImage, appCustomCss, appFavicon, appLogo, appLogoDark]) {
      await service.set(setting, '');
    }
  });

  const info = async (): Promise<Info> => (await service.client().get<Info>('/api/info')).body;
  const put = (client: TestClient, key: string, value: unknown): Promise<Answer<Problem>> =>
    client.put<Problem>('/api/setting', { updates: [{ key, value }] });
  const codeOf = ({ body }: Answer<Problem>): string | undefined => body.errors?.[0]?.code;

  it('is in the information for login pages', async () => {
    await service.set(appLogo, '/logo.svg');
    await service.set(appLogoDark, '/dark.svg');
    await service.set(appFavicon, 'https://cdn.example/icon.png');
    await service.set(appCornerRadius, 0);
    await service.set(appFont, 'Georgia');
    await service.set(appBackgroundColor, '#102030');
    await service.set(appBackgroundImage, '/sea.jpg');
    expect((await info()).branding).toMatchObject({
      logo: '/logo.svg',
      logo_dark: '/dark.svg',
      favicon: 'https://cdn.example/icon.png',
      corner_radius: 0,
      font: 'Georgia',
      background_color: '#102030',
      background_image: '/sea.jpg',
      stylesheet: '',
    });
  });

  it.each([
    [appFont.key, 'Comic Sans MS', 'one_of'],
    [appFont.key, 'url(https://evil.example)', 'one_of'],
    [appCornerRadius.key, 25, 'max'],
    [appBackgroundColor.key, 'red', 'color'],
    [appBackgroundImage.key, '//evil.example/x.png', 'web_address'],
    [appBackgroundImage.key, '/x.png"),url(https://evil.example', 'web_address'],
    [appFavicon.key, 'javascript:alert(1)', 'web_address'],
    [appCustomCss.key, 'a { background: url(https://evil.example) }', 'css_url'],
    [appCustomCss.key, '@import "/a.css";', 'css_at_rule'],
    [appCustomCss.key, 'x'.repeat(10_001), 'max_length'],
  ])('rejects %s = %j with %s', async (key, value, code) => {
    const answer = await put(admin, key, value);
    expectProblem(answer, 400, 'settings_update_failed');
    expect(codeOf(answer)).toBe(code);
  });

  it.each([
    [appBackgroundImage.key, '/x.png'],
    [appCustomCss.key, CSS],
  ])('lets only a holder of every permission change %s', async (key, value) => {
    const clerk = await userWith(service, admin, `clerk_${key.length}`, { permission_id: 'setting:*' });
    expect(codeOf(await put(clerk.client, key, value))).toBe('escalation_denied');
    expect((await put(admin, key, value)).status).toBe(200);
  });

  describe('custom CSS', () => {
    it('is a stylesheet at an address that changes with it, which browsers keep', async () => {
      await service.set(appCustomCss, CSS);
      const { stylesheet } = (await info()).branding;
      expect(stylesheet).toMatch(/^\/api\/branding\/[\w-]{43}\.css$/);
      const { status, headers, text } = await service.client().get(stylesheet);
      expect([status, text]).toEqual([200, CSS]);
      expect(headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      await service.set(appCustomCss, 'main { color: red }');
      expect((await info()).branding.stylesheet).not.toBe(stylesheet);
      expectProblem(await service.client().get<Problem>(stylesheet), 404, 'not_found');
    });

    it.each(['x.css', '.css', `${'a'.repeat(43)}.css`, `${'a'.repeat(43)}.js`, '..%2Finfo'])(
      'is not at %s',
      async (file) => {
        expectProblem(await service.client().get<Problem>(`/api/branding/${file}`), 404, 'not_found');
      },
    );

    it('is found by an instance that has not seen the change', async () => {
      const other = await service.another();
      await other.client().get('/api/info');
      await service.set(appCustomCss, CSS);
      const { stylesheet } = (await info()).branding;
      expect((await other.client().get(stylesheet)).text).toBe(CSS);
    });
  });
});
