import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../platform/crypto';
import { Candidate } from './candidate';
import { ForeignPassword } from './foreign-user';
import { ImportRepository } from './import.repository';

/**
 * The number of passwords hashed concurrently. The hashing queue runs one per core and rejects requests beyond its
 * limit.
 */
const AT_ONCE = 16;

/** Hashes imported plain-text passwords before anything is stored. */
@Injectable()
export class ImportedPasswordsService {
  constructor(
    private readonly repository: ImportRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Hashes only the passwords of users who are not imported yet, because hashing is slow. */
  async prepare(source: string, batch: readonly Candidate[]): Promise<readonly Candidate[]> {
    const plain = batch.filter(({ password }) => password?.kind === 'plain').map(({ sourceId }) => sourceId);
    if (plain.length === 0) return batch;
    const known = new Map((await this.repository.findKnown(source, plain)).map((one) => [one.sourceId, one]));
    const ready: Candidate[] = [];
    for (let start = 0; start < batch.length; start += AT_ONCE) {
      const some = batch.slice(start, start + AT_ONCE).map(async (candidate) => {
        const needsNone = known.get(candidate.sourceId)?.awaitsPassword === false;
        return { ...candidate, password: await this.hashed(candidate.password, needsNone) };
      });
      ready.push(...(await Promise.all(some)));
    }
    return ready;
  }

  private async hashed(
    password: ForeignPassword | undefined,
    needsNone: boolean,
  ): Promise<ForeignPassword | undefined> {
    if (password?.kind !== 'plain') return password;
    return needsNone ? { kind: 'unusable' } : { kind: 'hash', hash: await this.hasher.hash(password.text) };
  }
}
