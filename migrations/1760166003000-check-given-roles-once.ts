import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The foreign key with `role_of_service` includes this one. */
export class CheckGivenRolesOnce1760166003000 implements MigrationInterface {
  name = 'CheckGivenRolesOnce1760166003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query('ALTER TABLE user_role DROP CONSTRAINT user_role_role_fk');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE user_role ADD CONSTRAINT user_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE`,
    );
  }
}
