import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A code is kept until it is used or expires, also when another browser requests the next one for the contact. */
export class KeepCodesOfEachRequest1760173000000 implements MigrationInterface {
  name = 'KeepCodesOfEachRequest1760173000000';

  readonly creates = ['verification_code_by_place'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(
      `ALTER TABLE verification_code ADD COLUMN browser varchar(43),
         ADD COLUMN shared_attempts integer NOT NULL DEFAULT 0`,
    );
    await runner.query('DROP INDEX verification_code_place_unique');
    await runner.query(
      'CREATE INDEX verification_code_by_place ON verification_code (purpose, channel, target, created_at)',
    );
    await runner.query(
      `ALTER TABLE verification_target ADD COLUMN wrong_on date, ADD COLUMN wrong_own integer NOT NULL DEFAULT 0,
         DROP COLUMN wrong_since`,
    );
  }

  /** Codes live for minutes, so the users of the deleted ones request new ones. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE verification_target ADD COLUMN wrong_since timestamptz, DROP COLUMN wrong_own, DROP COLUMN wrong_on`,
    );
    await runner.query('DELETE FROM verification_code');
    await runner.query('DROP INDEX verification_code_by_place');
    await runner.query(
      'CREATE UNIQUE INDEX verification_code_place_unique ON verification_code (purpose, channel, target)',
    );
    await runner.query('ALTER TABLE verification_code DROP COLUMN shared_attempts, DROP COLUMN browser');
  }
}
