import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads all rows of `user_role` while others write it, so in a migration of its own. */
export class CheckGivenRoles1760166002000 implements MigrationInterface {
  name = 'CheckGivenRoles1760166002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_role VALIDATE CONSTRAINT user_role_of_service');
    await runner.query('ALTER TABLE user_role VALIDATE CONSTRAINT user_role_service_role_fk');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
