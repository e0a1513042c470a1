import { Injectable, OnModuleInit } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../../platform/cache';
import { EnvironmentError } from '../../platform/config';
import { DatabaseClock, StartupTasks, Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { andThen, MaybePromise } from '../../platform/util';
import {
  generateKeys,
  KeyAlgorithm,
  KeyPair,
  newId,
  PrivateJwk,
  PublicJwk,
  PublicKey,
  readKeys,
  SecretBox,
  SecretBoxError,
  toJwk,
  toPem,
} from '../../platform/crypto';
import { NewSigningKey, SigningKeyRepository } from './signing-key.repository';
import { KeyUsage, SigningKey } from './signing-key.entity';

/** What keys sign and with which algorithm. Keys of one kind replace each other. */
export interface KeyKind {
  readonly usage: KeyUsage;
  readonly algorithm: KeyAlgorithm;
}

export interface UnpublishedKey {
  readonly kid: string;
  /** The key starts to sign a minute later, when every instance and verifier has it. */
  publish(): Promise<void>;
  /**
   * Same as `publish`, in a transaction, but only if `kid` is still the newest key of the kind. Returns whether it was.
   */
  publishAfter(kid: string): Promise<boolean>;
}

export interface SigningPair {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: KeyPair['privateKey'];
}

export type KeyState = 'pending' | 'signing' | 'verifying';

/** A key as operators see it. */
export interface KeyReport extends KeyKind {
  readonly kid: string;
  /** `pending`: published but not yet signing. `signing`. `verifying`: superseded, kept for the tokens it signed. */
  readonly state: KeyState;
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

interface KnownKey extends SigningPair, KeyPair {
  readonly usage: string;
  readonly publicJwk: PublicJwk;
  readonly signs: boolean;
}

interface KeyRing {
  readonly keys: readonly KnownKey[];
  readonly byId: ReadonlyMap<string, KnownKey>;
}

const PUBLISHED_AHEAD_SECONDS = 60;
const RELOAD_PAUSE_MS = 5_000;
const sealContext = (kid: string): string => `signing_key|${kid}|private_key`;

/** The service's signing keys. Stored sealed in the database for all instances, with the public keys served as JWKS. */
@Injectable()
export class SigningKeysService implements OnModuleInit {
  private readonly ring: Snapshot<KeyRing>;
  /** Opening and parsing a key is expensive, and the key of a `kid` never changes. */
  private readonly opened = new Map<string, KeyPair>();
  private readonly reportedKeys = new Set<string>();
  private lastReload = -Infinity;

  constructor(
    caches: CacheFactory,
    private readonly repository: SigningKeyRepository,
    private readonly box: SecretBox,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
    private readonly startup: StartupTasks,
  ) {
    this.ring = caches.createSnapshot('signing_key', () => this.read());
  }

  onModuleInit(): void {
    this.startup.addCheck({ name: 'keys of signing keys', run: () => this.rejectForeignKeys() });
  }

  /** Creates the first key of a usage if none exists, only once for all instances that call at the same time. */
  async ensure(usage: KeyUsage, algorithm: KeyAlgorithm = 'ES256'): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const { keys } = await this.findUsable();
      return keys.some((key) => key.usage === usage && key.algorithm === algorithm);
    };
    if (await isThere()) return;
    const key = await this.make(usage, algorithm);
    await this.transactions.run(async () => {
      await this.repository.lock();
      if (!(await isThere())) await this.publish(key, 0);
    });
  }

  /** Generates the next key of a kind without publishing it. */
  async next({ usage, algorithm }: KeyKind): Promise<UnpublishedKey> {
    const key = await this.make(usage, algorithm);
    return {
      kid: key.id,
      publish: () => this.publish(key, PUBLISHED_AHEAD_SECONDS),
      publishAfter: (kid) => this.publishAfter(key, kid),
    };
  }

  /** Keys in use, newest first. */
  async list(): Promise<KeyReport[]> {
    const { keys, now } = await this.findUsable();
    const signing = new Set<string>();
    return keys.map((key) => ({
      kid: key.id,
      usage: key.usage,
      algorithm: key.algorithm,
      state: stateOf(key, now, signing),
      createdAt: key.createdAt,
      signsFrom: key.signsFrom,
    }));
  }

  /** Retires a superseded key, so that its signatures no longer verify. Returns whether it was still in use. */
  async retire(kid: string): Promise<boolean> {
    const isRetired = await this.repository.retire(kid);
    if (isRetired) await this.ring.invalidate();
    return isRetired;
  }

  /** Reseals keys that an older encryption key sealed with the first one. Returns how many. */
  async reseal(): Promise<number> {
    const { keys } = await this.findUsable();
    const old = keys.filter((key) => this.box.needsReseal(key.privateKey));
    for (const { id, privateKey } of old) {
      const plaintext = this.box.open(privateKey, sealContext(id));
      await this.repository.replaceSealed(id, privateKey, this.box.seal(plaintext, sealContext(id)));
    }
    return old.length;
  }

  /** The key that signs now; without an algorithm, the newest one of any. */
  async current(usage: KeyUsage, algorithm?: KeyAlgorithm): Promise<SigningPair> {
    const { keys } = await this.ring.get();
    const isWanted = (key: KnownKey): boolean => algorithm === undefined || key.algorithm === algorithm;
    const found = keys.find((key) => key.usage === usage && key.signs && isWanted(key));
    if (!found) throw new Error(`No signing key for ${usage}`);
    return found;
  }

  /** The public key of a `kid`. An unknown `kid` causes a reload, at most once in five seconds. */
  findPublic(usage: KeyUsage, kid: string): MaybePromise<PublicKey | undefined> {
    const found = andThen(this.ring.get(), ({ byId }) => byId.get(kid) ?? this.reloadFor(kid));
    return andThen(found, (key) => (key?.usage === usage ? key.publicKey : undefined));
  }

  /** The usage's keys in signing order: the signing keys, newest first, then the pending ones. */
  async signingOrder(usage: KeyUsage): Promise<readonly string[]> {
    const keys = (await this.ring.get()).keys.filter((key) => key.usage === usage);
    return [...keys.filter(({ signs }) => signs), ...keys.filter(({ signs }) => !signs)].map(({ kid }) => kid);
  }

  /** Throws for a `kid` that is not in use. */
  async privateJwk(kid: string): Promise<PrivateJwk> {
    const key = (await this.ring.get()).byId.get(kid);
    if (!key) throw new Error(`No signing key ${kid}`);
    return toJwk(key.privateKey, kid, key.algorithm);
  }

  /** The public keys for `/.well-known/jwks.json` (RFC 7517). */
  async jwks(): Promise<{ keys: PublicJwk[] }> {
    return { keys: (await this.ring.get()).keys.map((key) => key.publicJwk) };
  }

  /** Prevents the start, because a service that cannot open its keys can neither sign nor verify. */
  private async rejectForeignKeys(): Promise<void> {
    const { keys } = await this.repository.findCurrent();
    if (keys.every((row) => this.opens(row))) return;
    throw new EnvironmentError([
      {
        variable: 'ENCRYPTION_KEYS',
        problem: 'cannot open the signing keys in the database',
        allowed: 'the keys they were sealed with, optionally with a new key before them',
      },
    ]);
  }

  /** Skips a key that was sealed with unknown encryption keys while the service runs. The other keys keep working. */
  private async findUsable(): Promise<{ keys: SigningKey[]; now: Date }> {
    const { keys, now } = await this.repository.findCurrent();
    // Observes the database's clock here too, so that an idle instance does not retire keys by its local clock.
    this.clock.observe(now);
    const usable = keys.filter((row) => this.opens(row));
    for (const row of keys) if (!usable.includes(row)) this.reportUnusable(row.id);
    return { keys: usable, now };
  }

  private reportUnusable(kid: string): void {
    if (this.reportedKeys.has(kid)) return;
    this.reportedKeys.add(kid);
    this.log.error('A signing key cannot be opened and is not used: ENCRYPTION_KEYS lacks the key that sealed it', {
      kid,
    });
  }

  private async make(usage: KeyUsage, algorithm: KeyAlgorithm): Promise<NewSigningKey> {
    const id = newId();
    const keys = await generateKeys(algorithm);
    const publicJwk = await toJwk(keys.publicKey, id, algorithm);
    return { id, usage, algorithm, publicJwk, privateKey: this.box.seal(toPem(keys), sealContext(id)) };
  }

  private async publish(key: NewSigningKey, aheadSeconds: number): Promise<void> {
    await this.repository.insert(key, aheadSeconds);
    await this.ring.invalidate();
  }

  private async publishAfter(key: NewSigningKey, kid: string): Promise<boolean> {
    await this.repository.lock();
    const { keys } = await this.findUsable();
    const newest = keys.find(({ usage, algorithm }) => usage === key.usage && algorithm === key.algorithm);
    if (newest?.id !== kid) return false;
    await this.publish(key, PUBLISHED_AHEAD_SECONDS);
    return true;
  }

  private async reloadFor(kid: string): Promise<KnownKey | undefined> {
    const now = performance.now();
    if (now - this.lastReload < RELOAD_PAUSE_MS) return undefined;
    this.lastReload = now;
    this.ring.invalidateLocal();
    return (await this.ring.get()).byId.get(kid);
  }

  private async read(): Promise<KeyRing> {
    const { keys: rows, now } = await this.findUsable();
    const keys = rows.map((row) => this.open(row, now));
    return { keys, byId: new Map(keys.map((key) => [key.kid, key])) };
  }

  private open(row: SigningKey, now: Date): KnownKey {
    const { id: kid, algorithm, usage, publicJwk } = row;
    return { kid, algorithm, usage, publicJwk, signs: row.signsFrom <= now, ...this.pairOf(row) };
  }

  private opens(row: SigningKey): boolean {
    try {
      this.pairOf(row);
      return true;
    } catch (error) {
      if (error instanceof SecretBoxError) return false;
      throw error;
    }
  }

  private pairOf(row: SigningKey): KeyPair {
    const pair = this.opened.get(row.id) ?? this.unseal(row);
    this.opened.set(row.id, pair);
    return pair;
  }

  private unseal(row: SigningKey): KeyPair {
    return readKeys(this.box.open(row.privateKey, sealContext(row.id)));
  }
}

/**
 * The newest key of a kind whose start has passed signs, and older ones only verify. `signing` collects the kinds that
 * have a signing key.
 */
function stateOf({ usage, algorithm, signsFrom }: SigningKey, now: Date, signing: Set<string>): KeyState {
  const kind = `${usage}|${algorithm}`;
  if (signsFrom > now) return 'pending';
  if (signing.has(kind)) return 'verifying';
  signing.add(kind);
  return 'signing';
}
