import { inspect } from 'node:util';
import fc from 'fast-check';
import { EncryptionKeys } from './encryption-keys';

const keyText = (fill: number, length = 32): string => Buffer.alloc(length, fill).toString('base64url');

describe('EncryptionKeys', () => {
  it('seals with the first key and finds all keys', () => {
    const keys = EncryptionKeys.parse(`new:${keyText(1)}, old:${keyText(2)}\n`);
    expect(keys.activeKid).toBe('new');
    expect(keys.kids).toEqual(['new', 'old']);
    expect(keys.active.export().equals(Buffer.alloc(32, 1))).toBe(true);
    expect(keys.find('old')?.export().equals(Buffer.alloc(32, 2))).toBe(true);
    expect(keys.find('gone')).toBeUndefined();
    expect(keys.find('__proto__')).toBeUndefined();
  });

  it('generates a new valid ring each time', () => {
    const text = EncryptionKeys.generate();
    expect(text).toMatch(/^k[0-9a-f]{8}:[\w-]{43}$/);
    expect(EncryptionKeys.parse(text).kids).toHaveLength(1);
    expect(EncryptionKeys.generate()).not.toBe(text);
  });

  it('appends the keys of another ring, but no other key of the same id', () => {
    const [own, other] = [`a:${keyText(1)},b:${keyText(2)}`, `b:${keyText(2)},c:${keyText(3)}`].map(
      EncryptionKeys.parse,
    );
    const both = own!.followedBy(other!);
    expect(both.kids).toEqual(['a', 'b', 'c']);
    expect(both.activeKid).toBe('a');
    expect(() => own!.followedBy(EncryptionKeys.parse(`b:${keyText(4)}`))).toThrow('the id b names another key now');
  });

  it.each([
    ['the same keys', `a:${keyText(1)},b:${keyText(2)}`, true],
    ['another order', `b:${keyText(2)},a:${keyText(1)}`, false],
    ['another key', `a:${keyText(1)},b:${keyText(3)}`, false],
    ['another id', `a:${keyText(1)},c:${keyText(2)}`, false],
    ['fewer keys', `a:${keyText(1)}`, false],
    ['more keys', `a:${keyText(1)},b:${keyText(2)},c:${keyText(3)}`, false],
  ])('compares rings: %s', (_, text, isEqual) => {
    expect(EncryptionKeys.parse(`a:${keyText(1)},b:${keyText(2)}`).equals(EncryptionKeys.parse(text))).toBe(isEqual);
  });

  it('accepts base64 padding', () => {
    expect(EncryptionKeys.parse(`k:${keyText(1)}=`).activeKid).toBe('k');
  });

  it.each([
    { name: 'nothing', text: '', says: /entry 1 has no ":", expected kid:base64url\(32 bytes\)/ },
    { name: 'an empty entry', text: `a:${keyText(1)},`, says: /entry 2 has no ":"/ },
    { name: 'a key without an id', text: keyText(7), says: /entry 1 has no ":"/ },
    { name: 'key and id swapped', text: `${keyText(7)}:k1`, says: /id of entry 1/ },
    { name: 'an empty id', text: `:${keyText(1)}`, says: /id of entry 1/ },
    { name: 'an id with a dot', text: `a.b:${keyText(1)}`, says: /id of entry 1/ },
    { name: 'a short key', text: `a:${keyText(7, 31)}`, says: /entry 1 has 31 bytes/ },
    { name: 'a long key', text: `a:${keyText(7, 33)}`, says: /entry 1 has 33 bytes/ },
    { name: 'an empty key', text: 'a:', says: /entry 1 has 0 bytes/ },
    { name: 'ordinary base64', text: `a:${Buffer.alloc(32, 0xff).toString('base64')}`, says: /not base64url/ },
    { name: 'stray bits at the end', text: `a:${'A'.repeat(42)}B`, says: /not base64url/ },
    { name: 'one id twice', text: `a:${keyText(1)},b:${keyText(2)},a:${keyText(3)}`, says: /entry 3 repeats/ },
  ])('rejects $name and keeps the keys out of the message', ({ text, says }) => {
    expect(() => EncryptionKeys.parse(text)).toThrow(says);
    expect(() => EncryptionKeys.parse(text)).not.toThrow(new RegExp(keyText(7).slice(0, 8)));
  });

  it('rejects arbitrary texts without repeating them', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 30 }), (text) => {
        try {
          EncryptionKeys.parse(text);
        } catch (error) {
          expect((error as Error).message).not.toContain(text.trim() || 'nothing to find');
        }
      }),
    );
  });

  it('does not print its keys', () => {
    const keys = EncryptionKeys.parse(`a:${keyText(7)}`);
    const printed = `${inspect(keys, { depth: 9, showHidden: true })}${JSON.stringify(keys)}`;
    expect(printed).not.toContain(keyText(7));
    expect(printed).not.toContain(Buffer.alloc(8, 7).toString('hex'));
  });
});
