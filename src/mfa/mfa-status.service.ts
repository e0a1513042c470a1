import { Injectable } from '@nestjs/common';
import { SecondFactorPolicy, MfaStatus } from '../platform/access';
import { andThen, MaybePromise } from '../platform/util';
import { SettingsReader } from '../platform/settings';
import { PermissionsService } from '../rbac';
import { FactorCache } from './factor.cache';
import { MfaPolicy, mfaPolicy } from './mfa.settings';

/** Whether users must have a second factor, and whether they have one. */
@Injectable()
export class MfaStatusService extends SecondFactorPolicy {
  constructor(
    private readonly settings: SettingsReader,
    private readonly permissions: PermissionsService,
    private readonly factors: FactorCache,
  ) {
    super();
  }

  async get(userId: string): Promise<MfaStatus> {
    const isRequired = await this.isRequired(userId);
    const isOffered = await this.isOffered();
    return { isOffered, isRequired, isEnrolled: await this.factors.isEnrolled(userId) };
  }

  /** Whether second factors are offered. If not, none is required. */
  async isOffered(): Promise<boolean> {
    return (await this.policy()) !== 'off';
  }

  /** Called at every request. Most users need no factor, and then their factors are not read. */
  isEnrolmentDue(userId: string, organizationId?: string): MaybePromise<boolean> {
    return andThen(this.isRequired(userId, organizationId), (isRequired) => isRequired && this.isMissing(userId));
  }

  private isMissing(userId: string): MaybePromise<boolean> {
    return andThen(this.factors.isEnrolled(userId), (isEnrolled) => !isEnrolled);
  }

  private isRequired(userId: string, organizationId?: string): MaybePromise<boolean> {
    return andThen(this.policy(), (policy) => {
      switch (policy) {
        case 'off':
          return false;
        case 'required':
          return true;
        case 'optional':
          return this.permissions.demandSecondFactor(userId, organizationId);
      }
    });
  }

  private policy(): MaybePromise<MfaPolicy> {
    return this.settings.get(mfaPolicy);
  }
}
