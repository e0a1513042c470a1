import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads all rows of `user_role` while others write it, so in a migration of its own. The foreign key already keeps new rows out. */
export class CheckGivenRoles1760166002000 implements MigrationInterface {
  name = 'CheckGivenRoles1760166002000';

  async up(runner: QueryRunner): Promise<void> {
    // Such rows give nothing. OFFSET 0 finds them by the index `user_role_by_role`.
    await runner.query(
      `DELETE FROM user_role WHERE ctid = ANY(ARRAY(
         SELECT given.ctid FROM role,
           LATERAL (SELECT ctid FROM user_role WHERE user_role.role_id = role.id OFFSET 0) AS given
         WHERE NOT role.of_service))`,
    );
    await runner.query('ALTER TABLE user_role VALIDATE CONSTRAINT user_role_of_service');
    await runner.query('ALTER TABLE user_role VALIDATE CONSTRAINT user_role_service_role_fk');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
