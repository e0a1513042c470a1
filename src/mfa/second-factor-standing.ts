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
    const isOffered = await this.isOffered();
    return { isOffered, isRequired, isEnrolled: await this.factors.isEnrolled(userId) };
  }

  /** Whether anybody may have one: nobody must, where not. */
  async isOffered(): Promise<boolean> {
    return (await this.settings.get(mfaPolicy)) !== 'off';
  }

  /** Asked at every request: most users need none, and then their factors do not matter. */
  async isEnrolmentDue(userId: string): Promise<boolean> {
    return (await this.isRequired(userId)) && !(await this.factors.isEnrolled(userId));
  }

  /** False alone can be told at once: whoever must have one is asked about in earnest. */
  override peekEnrolmentDue(userId: string): boolean | undefined {
    const policy = this.settings.current(mfaPolicy);
    if (policy === 'off') return false;
    const isDemanded = policy === 'optional' ? this.permissions.peekDemandOfSecondFactor(userId) : undefined;
    return isDemanded === false ? false : undefined;
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
