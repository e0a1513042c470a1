import type { MigrationInterface, QueryRunner } from 'typeorm';

const REASON = 'kept by the upgrade';

/**
 * The production default of `jwt.cookie_prefix` becomes `__Host-iam`. If users exist, stores the previous default as if
 * it had been set, so that cookies in browsers keep their names.
 */
export class KeepNamesOfCookies1760011000000 implements MigrationInterface {
  name = 'KeepNamesOfCookies1760011000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `WITH kept AS (
         INSERT INTO setting (key, value, version)
         SELECT 'jwt.cookie_prefix', '"iam"', 1 WHERE EXISTS (SELECT 1 FROM user_account)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = setting.version + 1, updated_at = now()
           WHERE setting.value IS NULL OR setting.value = 'null'
         RETURNING key, value, version)
       INSERT INTO setting_history (key, version, from_value, to_value, reason)
       SELECT key, version, value, value, $1 FROM kept`,
      [REASON],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM setting_history WHERE key = 'jwt.cookie_prefix' AND reason = $1`, [REASON]);
  }
}
