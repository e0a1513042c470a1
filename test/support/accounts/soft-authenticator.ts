import { createHash, createSign, generateKeyPairSync, KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type CborMap = Map<string | number, unknown>;

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** False values of a dishonest client. */
export interface Lies {
  readonly origin?: string;
  readonly type?: string;
  readonly challenge?: string;
  /** Flags of the authenticator data (WebAuthn §6.1). */
  readonly flags?: number;
  readonly count?: number;
  readonly userHandle?: string | undefined;
  readonly transports?: unknown;
  /** Builds format and statement of an attestation from the signed data. */
  readonly attest?: (made: Made) => { readonly fmt: string; readonly statement: CborMap };
}

/** Data that an attestation covers. */
export interface Made {
  readonly clientDataHash: Buffer;
  readonly authData: Buffer;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const [PRESENT, VERIFIED, HAS_CREDENTIAL] = [1, 4, 64];

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (data: string | Buffer): string => Buffer.from(data as string).toString('base64url');

/** A software authenticator with one passkey, without the checks of a browser. */
export class SoftAuthenticator {
  readonly credentialId = text(randomBytes(16));
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  private count = 0;

  constructor(private readonly origin = 'http://localhost') {}

  /** The result of `navigator.credentials.create`. */
  make(options: CreationOptions, lies: Lies = {}): object {
    this.userHandle = options.user.id;
    const clientData = this.clientData('webauthn.create', options.challenge, lies);
    const id = Buffer.from(this.credentialId, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.coseKey()]);
    const flags = lies.flags ?? PRESENT | VERIFIED;
    const authData = Buffer.concat([this.head(options.rp.id, flags | HAS_CREDENTIAL, lies.count ?? 0), credential]);
    const made = { clientDataHash: sha256(clientData), authData, ...this.keys };
    const { fmt, statement } = lies.attest?.(made) ?? { fmt: 'none', statement: new Map<string, unknown>() };
    const attestation = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.credential({
      clientDataJSON: text(clientData),
      attestationObject: text(Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]))),
      transports: 'transports' in lies ? lies.transports : ['internal', 'telepathy'],
    });
  }

  /** The result of `navigator.credentials.get`. */
  prove({ challenge, rpId }: RequestOptions, lies: Lies = {}): object {
    const clientData = this.clientData('webauthn.get', challenge, lies);
    const authData = this.head(rpId, lies.flags ?? PRESENT | VERIFIED, lies.count ?? ++this.count);
    const signature = sign(this.keys.privateKey, Buffer.concat([authData, sha256(clientData)]));
    return this.credential({
      clientDataJSON: text(clientData),
      authenticatorData: text(authData),
      signature: text(signature),
      userHandle: 'userHandle' in lies ? lies.userHandle : this.userHandle,
    });
  }

  private credential(response: object): object {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, lies: Lies): string {
    const { origin = this.origin } = lies;
    return JSON.stringify({ type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin });
  }

  private head(rpId: string, flags: number, count: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  /** EC2, ES256, P-256 (RFC 9053 §7.1). */
  private coseKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    return Buffer.from(isoCBOR.encode(key as Parameters<typeof isoCBOR.encode>[0]));
  }
}

const sign = (key: KeyObject, data: Buffer): Buffer => createSign('sha256').update(data).sign(key);

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const size = content.length;
  if (size < 128) return Buffer.concat([Buffer.from([tag, size]), content]);
  const bytes = size < 256 ? [size] : [size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, 128 | bytes.length, ...bytes]), content]);
};
const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const octets = (content: Buffer): Buffer => der(0x04, content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))));
const moment = (text: string): Buffer => der(0x18, Buffer.from(text));

interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certificate({ subject, issuer, publicKey, issuerKey, extensions }: Certificate): Buffer {
  const algorithm = sequence(identifier('2a8648ce3d040302'));
  const content = sequence(
    der(0xa0, integer(2)),
    integer(subject === issuer ? 1 : 2),
    algorithm,
    named(issuer),
    sequence(moment('20200101000000Z'), moment('21000101000000Z')),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  return sequence(content, algorithm, der(0x03, Buffer.from([0]), sign(issuerKey, content)));
}

/** An Android key attestation by an untrusted maker, with a chosen address of the revocation list. */
export function androidAttestation(revocationList: string): NonNullable<Lies['attest']> {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return ({ clientDataHash, authData, privateKey, publicKey }) => {
    const said = sequence(
      ...[integer(4), der(0x0a, Buffer.from([1])), integer(4), der(0x0a, Buffer.from([1]))],
      ...[octets(clientDataHash), octets(Buffer.alloc(0)), sequence(), sequence()],
    );
    const point = der(0xa0, der(0xa0, der(0x86, Buffer.from(revocationList))));
    const extensions = [
      sequence(identifier('2b06010401d679020111'), octets(said)),
      sequence(identifier('551d1f'), octets(sequence(sequence(point)))),
    ];
    const issuer = 'Maker';
    const x5c = [
      certificate({ subject: 'Key', issuer, publicKey, issuerKey: root.privateKey, extensions }),
      certificate({ subject: issuer, issuer, publicKey: root.publicKey, issuerKey: root.privateKey, extensions: [] }),
    ].map((each) => new Uint8Array(each));
    const sig = new Uint8Array(sign(privateKey, Buffer.concat([authData, clientDataHash])));
    return {
      fmt: 'android-key',
      statement: new Map<string, unknown>([
        ['alg', -7],
        ['sig', sig],
        ['x5c', x5c],
      ]),
    };
  };
}
