import type { MigrationInterface, QueryRunner } from 'typeorm';

const REASON = 'kept beside the cookie domain';

/**
 * Beside a domain, the production default of `jwt.cookie_prefix` gave the refresh cookie the name `iam_refresh`, and now
 * gives it `__Host-iam_refresh`. If a domain is set, stores `iam` as if it had been set, so that cookies in browsers
 * keep their names, and instances of both versions read them.
 */
export class KeepNamesBesideADomain1760061000000 implements MigrationInterface {
  name = 'KeepNamesBesideADomain1760061000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `WITH kept AS (
         INSERT INTO setting (key, value, version)
         SELECT 'jwt.cookie_prefix', '"iam"', 1
         WHERE EXISTS (SELECT 1 FROM setting WHERE key = 'jwt.cookie_domain' AND value #>> '{}' <> '')
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = setting.version + 1, updated_at = now()
           WHERE setting.value IS NULL OR setting.value = 'null'
         RETURNING key, value, version)
       INSERT INTO setting_history (key, version, from_value, to_value, reason)
       SELECT key, version, NULL, value, $1 FROM kept`,
      [REASON],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM setting_history WHERE key = 'jwt.cookie_prefix' AND reason = $1`, [REASON]);
  }
}
