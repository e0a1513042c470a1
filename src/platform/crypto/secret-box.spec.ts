import fc from 'fast-check';
import { EncryptionKeys } from './encryption-keys';
import { SecretBox, SecretBoxError } from './secret-box';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64url')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64url')}`;
const box = new SecretBox(EncryptionKeys.parse(`${NEW},${OLD}`));
const oldBox = new SecretBox(EncryptionKeys.parse(OLD));
const newBox = new SecretBox(EncryptionKeys.parse(NEW));

const CONTEXT = 'oauth_provider|018f|client_secret';
const wellFormed = fc.string({ unit: 'binary' });
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof SecretBoxError) return error.reason;
    throw error;
  }
  return 'opened';
};

describe('SecretBox: envelopes', () => {
  it('opens what it sealed, for the same context', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (plaintext, context) => {
        const envelope = box.seal(plaintext, context);
        expect(envelope).toMatch(/^enc:v1:new:[\w-]{16}:[\w-]*:[\w-]{22}$/);
        expect(box.open(envelope, context)).toBe(plaintext);
      }),
    );
  });

  it('seals the same value differently each time', () => {
    expect(box.seal('secret', CONTEXT)).not.toBe(box.seal('secret', CONTEXT));
  });

  it('rejects an envelope moved to another context', () => {
    const envelope = box.seal('secret', CONTEXT);
    expect(reasonOf(() => box.open(envelope, 'oauth_provider|018e|client_secret'))).toBe('not_authentic');
    expect(reasonOf(() => box.open(envelope, ''))).toBe('not_authentic');
  });

  it('rejects an envelope with any one character changed', () => {
    const envelope = box.seal('the secret of a provider', CONTEXT);
    for (let at = 0; at < envelope.length; at += 1) {
      for (const other of ['A', 'b', '_', ':', '=', '\n']) {
        if (envelope[at] === other) continue;
        const tampered = envelope.slice(0, at) + other + envelope.slice(at + 1);
        expect(() => box.open(tampered, CONTEXT)).toThrow(SecretBoxError);
      }
    }
  });

  it('rejects a truncated or extended envelope', () => {
    const envelope = box.seal('the secret of a provider', CONTEXT);
    for (let length = 0; length < envelope.length; length += 1) {
      expect(() => box.open(envelope.slice(0, length), CONTEXT)).toThrow(SecretBoxError);
    }
    expect(() => box.open(`${envelope}A`, CONTEXT)).toThrow(SecretBoxError);
    expect(() => box.open(`${envelope}:`, CONTEXT)).toThrow(SecretBoxError);
  });

  it('rejects a shortened tag, which GCM would accept', () => {
    const [prefix, version, kid, iv, ciphertext, tag] = box.seal('secret', CONTEXT).split(':');
    const short = Buffer.from(tag!, 'base64url').subarray(0, 12).toString('base64url');
    expect(reasonOf(() => box.open([prefix, version, kid, iv, ciphertext, short].join(':'), CONTEXT))).toBe(
      'malformed',
    );
  });

  it('rejects an envelope with a changed key id or an unknown key', () => {
    const envelope = oldBox.seal('secret', CONTEXT);
    expect(reasonOf(() => box.open(envelope.replace(':old:', ':new:'), CONTEXT))).toBe('not_authentic');
    expect(reasonOf(() => newBox.open(envelope, CONTEXT))).toBe('unknown_key');
    expect(reasonOf(() => newBox.openOrLegacy(envelope, CONTEXT))).toBe('unknown_key');
  });

  it('opens envelopes of older keys and reports that they need a reseal', () => {
    const envelope = oldBox.seal('secret', CONTEXT);
    expect(box.open(envelope, CONTEXT)).toBe('secret');
    expect(box.sealedWith(envelope)).toBe('old');
    expect(newBox.sealedWith(envelope)).toBe('old');
    expect(box.needsReseal(envelope)).toBe(true);
    expect(box.needsReseal(box.seal('secret', CONTEXT))).toBe(false);
  });

  it('returns undefined for an envelope that cannot be opened, when the caller expects one', () => {
    const envelope = oldBox.seal('secret', CONTEXT);
    expect(box.openIfPossible(envelope, CONTEXT)).toBe('secret');
    expect(box.openIfPossible(envelope, 'elsewhere')).toBeUndefined();
    expect(newBox.openIfPossible(envelope, CONTEXT)).toBeUndefined();
  });

  it('returns a legacy plaintext and reports that it needs a reseal', () => {
    expect(box.openOrLegacy('plain', CONTEXT)).toBe('plain');
    expect(box.openOrLegacy(box.seal('plain', CONTEXT), CONTEXT)).toBe('plain');
    expect(box.sealedWith('plain')).toBeUndefined();
    expect(box.needsReseal('plain')).toBe(true);
    expect(reasonOf(() => box.open('plain', CONTEXT))).toBe('malformed');
  });

  it.each([
    'enc:',
    'enc:v1',
    'enc:v2:new:a:b:c',
    'enc:v1:new:::',
    'enc:v1::a:b:c',
    'enc: v1:new:a:b:c',
    'enc:v1:new:a:b:c:d',
  ])('never treats the broken envelope %j as plaintext', (value) => {
    expect(reasonOf(() => box.openOrLegacy(value, CONTEXT))).toBe('malformed');
    expect(reasonOf(() => box.sealedWith(value))).toBe('malformed');
    expect(reasonOf(() => box.needsReseal(value))).toBe('malformed');
  });

  it('throws only SecretBoxError on arbitrary texts, without the value', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, prefixed) => {
        const value = prefixed ? `enc:v1:new:${text}` : text;
        expect(['malformed', 'unknown_key', 'not_authentic']).toContain(reasonOf(() => box.open(value, CONTEXT)));
      }),
    );
    const error = new SecretBoxError('malformed');
    expect(`${error}`).toBe('SecretBoxError: Sealed value cannot be opened: malformed');
  });
});

describe('SecretBox: keyed digests', () => {
  it('verifies its own digests for the same purpose and data with any key of the ring', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (purpose, data) => {
        const mac = oldBox.mac(purpose, data);
        expect(mac).toMatch(/^old\.[\w-]{43}$/);
        expect(oldBox.mac(purpose, data)).toBe(mac);
        expect(box.verifyMac(purpose, data, mac)).toBe(true);
        expect(newBox.verifyMac(purpose, data, mac)).toBe(false);
        expect(box.verifyMac(`${purpose}x`, data, mac)).toBe(false);
        expect(box.verifyMac(purpose, `${data}x`, mac)).toBe(false);
      }),
    );
  });

  it('creates the same digest in every release', () => {
    expect(oldBox.mac('verification_code', '123456')).toBe('old.TZd-MGmGqY4F7DGVFx487r3FkroXNWDRgL8ByDjz3do');
  });

  it('creates a digest with the key of the given id, with the first key for an unknown id', () => {
    expect(box.mac('p', 'd', 'old')).toBe(oldBox.mac('p', 'd'));
    expect(box.mac('p', 'd', 'gone')).toBe(newBox.mac('p', 'd'));
  });

  it('rejects a digest without the id of its key, even if it begins like one', () => {
    const short = new SecretBox(EncryptionKeys.parse(NEW.replace('new', 'k')));
    const bare = Array.from({ length: 2_000 }, (_, data) => [`${data}`, short.mac('p', `${data}`).slice(2)] as const);
    const [data, mac] = bare.find(([, text]) => text.startsWith('k'))!;
    expect(short.verifyMac('p', data, `k.${mac}`)).toBe(true);
    expect(short.verifyMac('p', data, mac)).toBe(false);
  });

  it('creates a digest with each key of the ring, that of mac() first', () => {
    const macs = box.macs('cookies', 'signature');
    expect(macs).toEqual([box.mac('cookies', 'signature'), oldBox.mac('cookies', 'signature')]);
    expect(oldBox.macs('cookies', 'signature')).toEqual([macs[1]]);
  });

  it('rejects a digest that is changed, truncated or relabelled', () => {
    const mac = box.mac('verification_code', '123456');
    for (let at = 0; at < mac.length; at += 1) {
      const tampered = mac.slice(0, at) + (mac[at] === 'A' ? 'B' : 'A') + mac.slice(at + 1);
      expect(box.verifyMac('verification_code', '123456', tampered)).toBe(false);
      expect(box.verifyMac('verification_code', '123456', mac.slice(0, at))).toBe(false);
    }
    expect(box.verifyMac('verification_code', '123456', mac.replace('new.', 'old.'))).toBe(false);
    expect(box.verifyMac('verification_code', '123456', `${mac}=`)).toBe(false);
  });

  it('never throws on arbitrary texts', () => {
    fc.assert(fc.property(anyText, (mac) => !box.verifyMac('p', 'd', mac) && !box.verifyMac('p', 'd', `new.${mac}`)));
  });
});
