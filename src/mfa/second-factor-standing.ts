import { Injectable } from '@nestjs/common';
import { SecondFactorPolicy, SecondFactorStanding } from '../platform/access';
import { SettingsReader } from '../platform/settings';
import { Permissions } from '../rbac';
import { FactorState } from './factor-state';
import { mfaPolicy } from './mfa.settings';

/** Who must have a second factor, and who has one. */
@Injectable()
export class SecondFactorStandings extends SecondFactorPolicy {
  constructor(
    private readonly settings: SettingsReader,
    private readonly permissions: Permissions,
    private readonly factors: FactorState,
  ) {
    super();
  }

  async of(userId: string): Promise<SecondFactorStanding> {
    const isRequired = await this.isRequired(userId);
    const isOffered = isRequired || (await this.settings.get(mfaPolicy)) !== 'off';
    return { isOffered, isRequired, isEnrolled: await this.factors.isEnrolled(userId) };
  }

  /** Asked at every request: most users need none, and then their factors do not matter. */
  async isEnrolmentDue(userId: string): Promise<boolean> {
    return (await this.isRequired(userId)) && !(await this.factors.isEnrolled(userId));
  }

  private async isRequired(userId: string): Promise<boolean> {
    switch (this.settings.current(mfaPolicy) ?? (await this.settings.get(mfaPolicy))) {
      case 'off':
        return false;
      case 'required':
        return true;
      case 'optional':
        return this.permissions.demandSecondFactor(userId);
    }
  }
}
