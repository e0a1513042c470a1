import type { RequestContext } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { TrustedDevicesService } from './trusted-devices.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof TrustedDevicesService>;

const ANN = { id: 'ann', passwordVersion: 1 };
const REQUEST = { ip: '10.0.0.1', userAgent: '' } as RequestContext;
const tokensOf = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + from + index).repeat(43));

describe('TrustedDevicesService', () => {
  let days: number;
  let inserted: number;
  let asked: string[][];
  let devices: TrustedDevicesService;

  beforeEach(() => {
    days = 30;
    inserted = 0;
    asked = [];
    const repository = {
      use: async (hashes: string[]) => asked.push(hashes) > 0,
      insert: async () => void inserted++,
      list: async () => ['a device'],
    };
    devices = new TrustedDevicesService(
      ...fakeArguments<Parts>([repository, { get: async () => days }, { get: async () => ANN }, {}, {}]),
    );
  });

  it('keeps the tokens of the last five accounts in the cookie', async () => {
    const known = tokensOf(0, 5);
    const { value, maxAgeSeconds } = (await devices.trust([known.join('~')], ANN, REQUEST))!;
    expect(value.split('~')).toEqual([expect.stringMatching(/^[\w-]{43}$/), ...known.slice(0, 4)]);
    expect(maxAgeSeconds).toBe(30 * 24 * 60 * 60);
    expect(inserted).toBe(1);
  });

  it('reads two cookies of five tokens at most', async () => {
    const [one, two, three] = [tokensOf(0, 5), tokensOf(5, 5), tokensOf(10, 1)];
    expect(
      await devices.isTrusted(
        [one, two, three].map((tokens) => tokens.join('~')),
        ANN,
      ),
    ).toBe(true);
    expect(asked).toEqual([[...one, ...two].map(sha256)]);
  });

  it('asks for no malformed cookie', async () => {
    for (const cookies of [[], ['rubbish'], [tokensOf(0, 6).join('~')]]) {
      expect(await devices.isTrusted(cookies, ANN)).toBe(false);
    }
    expect(asked).toEqual([]);
  });

  it('trusts no browser at 0 days', async () => {
    const caller = { userId: 'ann' } as Parameters<TrustedDevicesService['list']>[0];
    expect(await devices.list(caller)).toEqual(['a device']);
    days = 0;
    expect(await devices.isTrusted(tokensOf(0, 1), ANN)).toBe(false);
    expect(await devices.trust([], ANN, REQUEST)).toBeUndefined();
    expect(await devices.list(caller)).toEqual([]);
    expect([asked, inserted]).toEqual([[], 0]);
  });
});
