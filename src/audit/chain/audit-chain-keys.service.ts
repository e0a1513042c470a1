import { Injectable, OnModuleInit } from '@nestjs/common';
import {
  generateKeys,
  newId,
  PublicKey,
  readEs256Jwt,
  readKeys,
  SecretBox,
  signEs256Jwt,
  toPem,
} from '../../platform/crypto';
import { StartupTasks } from '../../platform/database';
import { AuditChainKey } from './audit-chain-key.entity';
import { AuditChainKeyRepository } from './audit-chain-key.repository';
import { areRootClaims, ROOT_TYPE, RootClaims } from './root-claims';

/** A leaked key signs no longer than that. */
const USED_DAYS = 90;

const contextOf = (id: string): string => `audit_chain_key|${id}|private_key`;

/** Returns the claims of a genuine token, undefined for any other. */
export type RootVerifier = (token: string) => RootClaims | undefined;

/** The keys of the chain. They sign nothing else, and stay, because old roots must remain verifiable. */
@Injectable()
export class AuditChainKeysService implements OnModuleInit {
  constructor(
    private readonly keys: AuditChainKeyRepository,
    private readonly box: SecretBox,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'keys of the audit chain', stage: 'secrets', run: () => this.reseal() });
  }

  /** Signs with the newest key. Call it under the lock of the chain: it makes the first key, and the next after 90 days. */
  async sign(claims: RootClaims): Promise<string> {
    const key = (await this.keys.findNewest(USED_DAYS)) ?? (await this.make());
    const { privateKey } = readKeys(this.box.open(key.privateKey, contextOf(key.id)));
    return signEs256Jwt({ typ: ROOT_TYPE, kid: key.id }, claims, privateKey);
  }

  /** Trusts only keys that `ENCRYPTION_KEYS` open: others may have been written into the database. */
  async verifier(): Promise<RootVerifier> {
    const known = new Map<string, PublicKey>();
    for (const { id, privateKey } of await this.keys.list()) {
      const pem = this.box.openIfPossible(privateKey, contextOf(id));
      if (pem !== undefined) known.set(id, readKeys(pem).publicKey);
    }
    return (token) => {
      const claims = readEs256Jwt(token, ROOT_TYPE, (kid) => known.get(kid));
      return areRootClaims(claims) ? claims : undefined;
    };
  }

  private async make(): Promise<Pick<AuditChainKey, 'id' | 'privateKey'>> {
    const id = newId();
    const key = { id, privateKey: this.box.seal(toPem(await generateKeys('ES256')), contextOf(id)) };
    await this.keys.insert(key);
    return key;
  }

  /** So that an old encryption key can be removed. */
  private async reseal(): Promise<void> {
    for (const { id, privateKey } of await this.keys.list()) {
      if (!this.box.needsReseal(privateKey)) continue;
      const pem = this.box.openIfPossible(privateKey, contextOf(id));
      if (pem !== undefined) await this.keys.replaceSealed(id, privateKey, this.box.seal(pem, contextOf(id)));
    }
  }
}
