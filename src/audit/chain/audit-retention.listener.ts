import { Injectable } from '@nestjs/common';
import { auditRetentionDays } from '../log/audit.settings';
import { SettingDuties, SettingDuty } from '../../platform/settings';
import { AuditChainService } from './audit-chain.service';

/** Signs each change of the retention, because a row of the database proves no change. */
@Injectable()
export class AuditRetentionListener implements SettingDuty<number> {
  readonly setting = auditRetentionDays;

  constructor(
    private readonly chain: AuditChainService,
    duties: SettingDuties,
  ) {
    duties.add(this);
  }

  onChange(days: number): Promise<void> {
    return this.chain.addRetention(days);
  }
}
