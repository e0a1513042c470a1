import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { sessionErrors } from '../../session';
import { AccountChangesService, TermsService, User, UserRepository, userTarget } from '../../users';
import { authActs, TermsState } from '../account/auth.acts';

/** Records that a user accepts the current terms. */
@Injectable()
export class AcceptedTermsService {
  constructor(
    private readonly terms: TermsService,
    private readonly users: UserRepository,
    private readonly changes: AccountChangesService,
    private readonly transactions: Transactions,
  ) {}

  /** Keeps the time of the first acceptance of a version. Throws `validation_failed` unless it is the current one. */
  async accept({ userId }: Caller, version: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.terms.requireCurrent(version);
      const before = await this.users.lock(userId);
      if (!before) throw sessionErrors.sessionRevoked();
      if (before.termsVersion === version) return;
      const after = await this.users.update(userId, { termsVersion: version });
      if (!after) throw sessionErrors.sessionRevoked();
      await this.changes.record(
        before,
        after,
        authActs.acceptTerms({
          target: userTarget(after),
          before: acceptedIn(before),
          after: acceptedIn(after),
        }),
      );
    });
  }
}

const acceptedIn = ({ termsVersion }: User): TermsState => ({ terms_version: termsVersion });
