import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, preparedStatement, Transactions } from '../../platform/database';
import type { OrganizationSettings } from './organization-settings';
import { Organization } from './organization.entity';

/** Prepared, because each login at an application of an organisation runs it. */
const FIND = preparedStatement('SELECT settings FROM organization WHERE id = $1');

@Injectable()
export class OrganizationSettingsRepository {
  constructor(
    @InjectRepository(Organization, CASTELLAN) private readonly organizations: Repository<Organization>,
    private readonly transactions: Transactions,
  ) {}

  async find(organizationId: string): Promise<OrganizationSettings | undefined> {
    const [row] = await this.transactions.rows<{ settings: OrganizationSettings }>(FIND, [organizationId]);
    return row?.settings;
  }

  async replace(organizationId: string, settings: OrganizationSettings): Promise<void> {
    await this.organizations.update({ id: organizationId }, { settings, updatedAt: () => 'now()' });
  }
}
