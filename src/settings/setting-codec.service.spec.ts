import type { Environment } from '../platform/config';
import type { SecretBox } from '../platform/crypto';
import type { Log } from '../platform/logging';
import { defineSetting, integer } from '../platform/settings';
import { SettingCodecService } from './setting-codec.service';
import { fake } from '../../test/support/service/fake';

const narrowed = defineSetting({
  key: 'stored.narrowed',
  defaultValue: 5,
  kind: integer({ minimum: 1, maximum: 10 }),
  sensitive: false,
});

describe('SettingCodecService', () => {
  it('warns once about each stored value that breaks its rule', () => {
    const warn = jest.fn();
    const values = new SettingCodecService({} as SecretBox, fake<Log>({ warn }), { isProduction: true } as Environment);
    // The history can hold several broken values that are read in turn.
    for (const stored of [11, 12, 7, 11, 12]) values.effectiveValue(narrowed, stored);
    expect(values.effectiveValue(narrowed, 12)).toBe(5);
    expect(warn.mock.calls).toHaveLength(2);
    expect(warn).toHaveBeenCalledWith(expect.any(String), { setting: narrowed.key, rule: 'max' });
  });
});
