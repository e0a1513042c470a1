import { Injectable } from '@nestjs/common';
import { ImportedFactorsService } from '../mfa';
import { ImportedIdentitiesService } from '../oauth';
import { Candidate } from './candidate';

export interface CredentialOwner {
  readonly userId: string;
  readonly username: string;
  readonly candidate: Candidate;
}

/** Third-party accounts and authenticator apps of created accounts. */
@Injectable()
export class ImportedCredentialsService {
  constructor(
    private readonly identities: ImportedIdentitiesService,
    private readonly factors: ImportedFactorsService,
  ) {}

  /** Runs in the transaction that creates the accounts. */
  async add(owners: readonly CredentialOwner[]): Promise<void> {
    await this.identities.link(
      owners.flatMap(({ userId, candidate }) => candidate.identities.map((identity) => ({ userId, ...identity }))),
    );
    await this.factors.add(
      owners.flatMap(({ userId, username, candidate: { totpSecret: secret } }) =>
        secret === undefined ? [] : [{ userId, username, secret }],
      ),
    );
  }
}
