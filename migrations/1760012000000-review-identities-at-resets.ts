import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a password reset list the identities that were linked since the previous one. */
export class ReviewIdentitiesAtResets1760012000000 implements MigrationInterface {
  name = 'ReviewIdentitiesAtResets1760012000000';

  async up(runner: QueryRunner): Promise<void> {
    // Identities from before count as reviewed: it is unknown whether they were linked since the last reset.
    await runner.query(`ALTER TABLE user_identity ADD COLUMN reviewed_at timestamptz(3) DEFAULT now()`);
    await runner.query(`ALTER TABLE user_identity ALTER COLUMN reviewed_at DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_identity DROP COLUMN reviewed_at`);
  }
}
