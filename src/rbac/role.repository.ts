import { Injectable } from '@nestjs/common';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { Role } from './role.entity';
import { SystemRole } from './system-roles';

export interface StoredGrant {
  readonly scope: string;
  readonly permissionId: string;
  readonly level: number;
}

/** Active, in the role, and able to log in. */
const OTHER_ADMIN = `
  SELECT 1 FROM user_role
  JOIN user_account ON user_account.id = user_role.user_id
  WHERE user_role.role_id = $1 AND user_role.user_id <> $2
    AND user_account.status = 'active' AND user_account.password_hash IS NOT NULL
  LIMIT 1`;

@Injectable()
export class RoleRepository {
  constructor(private readonly transactions: Transactions) {}

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

  async grantsOf(roleId: string): Promise<StoredGrant[]> {
    return this.transactions.manager.query(
      `SELECT scope, permission_id AS "permissionId", level FROM role_grant WHERE role_id = $1`,
      [roleId],
    );
  }

  /** Grants given directly and through roles, unmerged. */
  async grantsOfUser(userId: string): Promise<StoredGrant[]> {
    return this.transactions.manager.query(
      `SELECT scope, permission_id AS "permissionId", level FROM user_grant WHERE user_id = $1
       UNION ALL
       SELECT role_grant.scope, role_grant.permission_id, role_grant.level
       FROM user_role JOIN role_grant ON role_grant.role_id = user_role.role_id WHERE user_role.user_id = $1`,
      [userId],
    );
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
    const id = await this.upsertSystemRole(scope, role);
    const wanted = JSON.stringify(role.grants.map((grant) => ({ ...grant, permission_id: grant.permissionId })));
    const changed = await this.transactions.manager.query<unknown[]>(
      `WITH wanted AS (
         SELECT scope, permission_id, level FROM jsonb_to_recordset($2::jsonb)
           AS wanted (scope varchar, permission_id varchar, level smallint)
       ), removed AS (
         DELETE FROM role_grant WHERE role_id = $1
           AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.scope = role_grant.scope AND wanted.permission_id = role_grant.permission_id)
         RETURNING 1
       ), written AS (
         INSERT INTO role_grant (role_id, scope, permission_id, level) SELECT $1, scope, permission_id, level FROM wanted
         ON CONFLICT (role_id, scope, permission_id) DO UPDATE SET level = excluded.level WHERE role_grant.level <> excluded.level
         RETURNING 1
       )
       SELECT 1 FROM removed UNION ALL SELECT 1 FROM written`,
      [id, wanted],
    );
    return changed.length > 0;
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
