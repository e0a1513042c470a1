import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, preparedStatement, Transactions } from '../platform/database';
import type { OrganizationSettings } from '../rbac';
import { Organization } from '../rbac';

/** Prepared, because each login at an application of an organization runs it. */
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

  /** Reads all organizations, so it is for rare acts only. */
  async isLoginListed(method: string): Promise<boolean> {
    const listing = "SELECT 1 FROM organization WHERE settings->'login_methods' @> to_jsonb($1::text)";
    const [row] = await this.transactions.rows<{ found: boolean }>(`SELECT EXISTS (${listing}) AS found`, [method]);
    return row?.found === true;
  }

  async replace(organizationId: string, settings: OrganizationSettings): Promise<void> {
    await this.organizations.update({ id: organizationId }, { settings, updatedAt: () => 'now()' });
  }
}
