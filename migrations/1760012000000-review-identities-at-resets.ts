import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reset of the password names the identities that were linked since the last one. */
export class ReviewIdentitiesAtResets1760012000000 implements MigrationInterface {
  name = 'ReviewIdentitiesAtResets1760012000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_identity ADD COLUMN reviewed_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_identity DROP COLUMN reviewed_at`);
  }
}
