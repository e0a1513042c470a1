import { Injectable } from '@nestjs/common';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { GrantRepository } from './grant.repository';
import { Role } from './role.entity';
import { SystemRole } from './system-roles';

/** Active, in the role, and able to log in. */
const OTHER_ADMIN = `
  SELECT 1 FROM user_role
  JOIN user_account ON user_account.id = user_role.user_id
  WHERE user_role.role_id = $1 AND user_role.user_id <> $2
    AND user_account.status = 'active' AND user_account.password_hash IS NOT NULL
  LIMIT 1`;

@Injectable()
export class RoleRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantRepository,
  ) {}

  findByName(scope: string, name: string): Promise<Role | null> {
    return this.transactions.manager.findOneBy(Role, { scope, name });
  }

  /** Holds the role until the transaction ends: changes of its members follow each other. */
  lock(id: string): Promise<Role | null> {
    return this.transactions.manager
      .createQueryBuilder(Role, 'role')
      .setLock('pessimistic_write')
      .where('role.id = :id', { id })
      .getOne();
  }

  async addMember(roleId: string, userId: string): Promise<void> {
    await this.transactions.manager.query(
      'INSERT INTO user_role (role_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [roleId, userId],
    );
  }

  async isMember(roleId: string, userId: string): Promise<boolean> {
    return this.exists('SELECT 1 FROM user_role WHERE role_id = $1 AND user_id = $2', [roleId, userId]);
  }

  async hasMembers(roleId: string): Promise<boolean> {
    return this.exists('SELECT 1 FROM user_role WHERE role_id = $1 LIMIT 1', [roleId]);
  }

  /** Whether someone else in the role is active and can log in. */
  async hasOtherAbleMember(roleId: string, userId: string): Promise<boolean> {
    return this.exists(OTHER_ADMIN, [roleId, userId]);
  }

  /** Writes the difference between the code's role and the database's; answers whether there was one. */
  async syncSystemRole(scope: string, role: SystemRole): Promise<boolean> {
    return this.grants.replaceOfRole(await this.upsertSystemRole(scope, role), role.grants);
  }

  private async upsertSystemRole(scope: string, role: SystemRole): Promise<string> {
    await this.transactions.manager.query(
      `INSERT INTO role (id, scope, name, description, is_system) VALUES ($1, $2, $3, $4, true)
       ON CONFLICT ON CONSTRAINT role_name_unique DO UPDATE SET is_system = true WHERE NOT role.is_system`,
      [newId(), scope, role.name, role.description],
    );
    const stored = await this.findByName(scope, role.name);
    if (!stored) throw new Error(`System role ${role.name} vanished in its own transaction`);
    return stored.id;
  }

  private async exists(sql: string, parameters: unknown[]): Promise<boolean> {
    return (await this.transactions.manager.query<unknown[]>(sql, parameters)).length > 0;
  }
}
