import { mailFrom, smtpHost } from '../../src/messaging/delivery/delivery.settings';
import { emailCodeRequired, phoneCodeRequired, registrationEnabled } from '../../src/auth';
import { trustedDeviceDays } from '../../src/mfa';
import { appLogo, appName, appPrimaryColor, appPrivacy, appTerms } from '../../src/settings';
import { cookiePrefix } from '../../src/platform/http';
import { version } from '../../package.json';
import { expectProblem } from '../support/service/expect-problem';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('GET /api/info', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  it('returns the documented shape to an anonymous client', async () => {
    const answer = await service.client().get('/api/info');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      name: 'Castellan',
      version,
      scope: 'iam',
      locales: ['en', 'zh'],
      registration: {
        enabled: true,
        email_code_required: false,
        phone_code_required: false,
        attributes: [],
        contact_required: 'none',
        terms_required: false,
        terms_version: '',
        first_field: 'username',
      },
      // No user has a passkey yet.
      login_methods: ['password', 'email', 'sms', 'passkey'].map((type) => ({ type, enabled: type !== 'passkey' })),
      oauth_providers: [],
      identifier_first: false,
      verification: { enabled: true, channels: ['email', 'sms'], inbox: ['email', 'sms'] },
      password: { min_length: 8, max_length: 256 },
      mfa: { trusted_device_days: trustedDeviceDays.defaultValue },
      account: { deletion_grace_days: 0 },
      branding: {
        logo: '',
        logo_dark: '',
        favicon: '',
        primary_color: '#2f6fed',
        corner_radius: 8,
        font: 'system-ui',
        background_color: '',
        background_image: '',
        stylesheet: '',
        terms: '',
        privacy: '',
        support: '',
      },
      organization: null,
      cookie_prefix: 'iam',
    });
  });

  it('follows the settings', async () => {
    await service.set(appName, '身份中心');
    await service.set(appLogo, 'https://example.com/logo.svg');
    await service.set(appPrimaryColor, '#123abc');
    await service.set(appTerms, 'https://example.com/terms');
    await service.set(appPrivacy, '/privacy');
    await service.set(registrationEnabled, false);
    await service.set(emailCodeRequired, true);
    await service.set(phoneCodeRequired, true);
    await service.set(cookiePrefix, 'house');
    await service.set(trustedDeviceDays, 0);
    const { body } = await service.client().get('/api/info');
    expect(body).toMatchObject({
      name: '身份中心',
      registration: { enabled: false, email_code_required: true, phone_code_required: true },
      branding: {
        logo: 'https://example.com/logo.svg',
        primary_color: '#123abc',
        terms: 'https://example.com/terms',
        privacy: '/privacy',
        support: '',
      },
      mfa: { trusted_device_days: 0 },
      cookie_prefix: 'house',
    });
  });

  it('names the channels that only reach the development inbox until they have a provider', async () => {
    const inbox = async (): Promise<string[]> =>
      (await service.client().get<{ verification: { inbox: string[] } }>('/api/info')).body.verification.inbox;
    expect(await inbox()).toEqual(['email', 'sms']);
    await service.set(smtpHost, 'smtp.example.com');
    await service.set(mailFrom, 'no-reply@example.com');
    expect(await inbox()).toEqual(['sms']);
  });

  it('lists a disabled method as disabled', async () => {
    await service.query(`INSERT INTO login_method (type, enabled) VALUES ('password', false)`);
    const other = await service.another();
    const { body } = await other.client().get('/api/info');
    expect(body).toMatchObject({ login_methods: [{ type: 'password', enabled: false }, {}, {}, {}] });
  });

  it('may be cached briefly by any cache', async () => {
    const { headers } = await service.client().get('/api/info');
    expect(headers['cache-control']).toBe('public, max-age=1');
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('GET /api/avatar/{seed}.svg', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const draw = async (seed: string): Promise<string> => {
    const answer = await service.client().get(`/api/avatar/${seed}.svg`);
    expect(answer.status).toBe(200);
    return answer.text;
  };

  it('returns an image that browsers may cache forever', async () => {
    const { status, headers, text } = await service.client().get('/api/avatar/ann.svg');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain(`default-src 'none'`);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*viewBox[^>]*>.*<\/svg>$/s);
  });

  it('returns the same image for the same seed on every instance, and different images for different seeds', async () => {
    const other = await service.another();
    expect(await draw('ann')).toBe(await draw('ann'));
    expect((await other.client().get('/api/avatar/ann.svg')).text).toBe(await draw('ann'));
    const pictures = new Set(await Promise.all(['ann', 'Ann', 'bob', 'a-b_c', 'x'.repeat(64)].map(draw)));
    expect(pictures.size).toBe(5);
  });

  it('contains no script, no external resource and not the seed', async () => {
    for (const seed of ['onload', 'script', 'javascript', 'a'.repeat(64)]) {
      const picture = await draw(seed);
      expect(picture).not.toMatch(/<script|\son\w+=|href|javascript:|url\(|<foreignObject|<!|&/i);
      expect(picture).not.toContain(seed);
    }
  });

  it.each([
    '.svg',
    'ann',
    'ann.png',
    'ann.svg.svg',
    'a.b.svg',
    `${'x'.repeat(65)}.svg`,
    'a%20b.svg',
    '%3Cscript%3E.svg',
    '..%2F..%2Fauth%2Fme.svg',
    'a%00.svg',
    '%E5%B0%8F.svg',
    'ann.svg%0A',
    'ann.SVG',
  ])('returns 404 for %s', async (file) => {
    const answer = await service.client().get(`/api/avatar/${file}`);
    expect(answer.status).toBe(404);
    expectProblem(answer, 404, 'not_found');
  });

  it('draws the random avatar of a new user', async () => {
    const avatars = await Promise.all(
      ['one_of_many', 'two_of_many'].map(async (username) => {
        const client = await service.signUp(username);
        return (await client.get<{ avatar: string }>('/api/auth/me')).body.avatar;
      }),
    );
    expect(new Set(avatars).size).toBe(2);
    for (const avatar of avatars) expect((await service.client().get(avatar)).status).toBe(200);
  });
});
