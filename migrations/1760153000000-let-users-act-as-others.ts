import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions in which one user acts as another, and the audit events of what is done in them. */
export class LetUsersActAsOthers1760153000000 implements MigrationInterface {
  name = 'LetUsersActAsOthers1760153000000';
  creates = ['session_by_actor', 'session_by_actor_session'];

  async up(runner: QueryRunner): Promise<void> {
    // While it waits for a reader of the tables, such as a dump, all logins wait behind it. The startup retries.
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await runner.query(`
      ALTER TABLE session
        ADD COLUMN actor_id uuid,
        ADD COLUMN actor_name varchar(50),
        ADD COLUMN actor_session_id uuid,
        ADD CONSTRAINT session_actor_fk FOREIGN KEY (actor_id) REFERENCES user_account (id) ON DELETE CASCADE,
        ADD CONSTRAINT session_actor_complete CHECK (num_nonnulls(actor_id, actor_name, actor_session_id) IN (0, 3))`);
    await runner.query('CREATE INDEX session_by_actor ON session (actor_id) WHERE actor_id IS NOT NULL');
    await runner.query(
      'CREATE INDEX session_by_actor_session ON session (actor_session_id) WHERE actor_session_id IS NOT NULL',
    );
    await runner.query(
      'ALTER TABLE audit_event ADD COLUMN on_behalf_of_id uuid, ADD COLUMN on_behalf_of_name varchar(64)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    // The former version would take them for sessions of the users themselves.
    await runner.query('DELETE FROM session WHERE actor_id IS NOT NULL');
    await runner.query(
      'ALTER TABLE session DROP COLUMN actor_session_id, DROP COLUMN actor_name, DROP COLUMN actor_id',
    );
    await runner.query('ALTER TABLE audit_event DROP COLUMN on_behalf_of_name, DROP COLUMN on_behalf_of_id');
  }
}
