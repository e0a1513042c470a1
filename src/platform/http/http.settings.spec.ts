import { SettingsValidators } from '../settings';
import { AllowedOriginsCheck } from './allowed-origins.check';
import { allowedOrigins } from './http.settings';

const REJECTED = { violation: 'origin' };

describe('security.allowed_origins', () => {
  const check = new AllowedOriginsCheck(new SettingsValidators());
  const violationsOf = (origin: string): ReturnType<typeof check.check> =>
    check.check({ get: () => [origin] } as unknown as Parameters<typeof check.check>[0]);

  it.each(['https://app.example.com', 'http://localhost:3000', 'http://[::1]:8080', 'https://xn--fiq.example'])(
    'accepts %s',
    async (origin) => {
      expect(allowedOrigins.kind.parse([origin])).toEqual({ value: [origin] });
      expect(await violationsOf(origin)).toEqual([]);
    },
  );

  it.each([
    'https://a.example/',
    'https://a.example:443',
    'https://A.example',
    'https://me@a.example',
    'ftp://a.example',
    'null',
    '*',
    '',
  ])('rejects %j, which no browser sends as an origin', (origin) => {
    expect(allowedOrigins.kind.parse([origin])).toEqual(REJECTED);
  });

  it.each(['https://*.a.example', 'https://*', 'https://a!b.example'])(
    'rejects %j when it is set, but accepts it as a stored value',
    async (origin) => {
      expect(await violationsOf(origin)).toEqual([{ setting: allowedOrigins, code: 'origin' }]);
      expect(allowedOrigins.kind.parse([origin])).toEqual({ value: [origin] });
    },
  );
});
