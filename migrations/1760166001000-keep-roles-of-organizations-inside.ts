import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that give roles, and the SQL of the organization in which a new row gives one. */
const GIVING: Readonly<Record<string, string>> = {
  organization_member_role: 'added.organization_id',
  organization_domain_role: 'added.organization_id',
  invitation_role: '(SELECT organization_id FROM invitation WHERE invitation.id = added.invitation_id)',
  user_group_role: '(SELECT organization_id FROM user_group WHERE user_group.id = added.group_id)',
};
const EVENTS = { insert: 'INSERT', update: 'UPDATE' };
/** Tables whose rows belong to an organization, or to the service, for good. */
const STAYING = ['role', 'user_group', 'invitation'];

const guardOf = (table: string): string => `${table}_reject_outsiders`;

/**
 * The database accepts no row that gives a role of an organization elsewhere. The former version writes only `user_role`, which
 * is large and gets a foreign key for new rows. The next migration checks the others.
 */
export class KeepRolesOfOrganizationsInside1760166001000 implements MigrationInterface {
  name = 'KeepRolesOfOrganizationsInside1760166001000';
  creates = [...Object.keys(GIVING).map(guardOf), 'role_reject_move'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    await this.keepPlaces(runner);
    for (const [table, place] of Object.entries(GIVING)) await this.guard(runner, table, place);
    await runner.query('ALTER TABLE user_role ADD COLUMN role_of_service boolean NOT NULL DEFAULT true');
    await runner.query(
      `ALTER TABLE user_role
         ADD CONSTRAINT user_role_of_service CHECK (role_of_service) NOT VALID,
         ADD CONSTRAINT user_role_service_role_fk FOREIGN KEY (role_id, role_of_service)
           REFERENCES role (id, of_service) ON DELETE CASCADE NOT VALID`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE user_role DROP COLUMN role_of_service');
    for (const table of Object.keys(GIVING)) await runner.query(`DROP FUNCTION ${guardOf(table)}() CASCADE`);
    await runner.query('DROP FUNCTION role_reject_move() CASCADE');
  }

  private async keepPlaces(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION role_reject_move() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        RAISE EXCEPTION 'A row of % stays in its organization', TG_TABLE_NAME USING ERRCODE = 'check_violation';
      END $$`);
    for (const table of STAYING) {
      await runner.query(`
        CREATE TRIGGER ${table}_stays BEFORE UPDATE OF organization_id ON ${table} FOR EACH ROW
        WHEN (OLD.organization_id IS DISTINCT FROM NEW.organization_id) EXECUTE FUNCTION role_reject_move()`);
    }
  }

  /** Once for each statement, so that large changes stay fast. OFFSET 0 prevents full table scans. */
  private async guard(runner: QueryRunner, table: string, place: string): Promise<void> {
    await runner.query(`
      CREATE FUNCTION ${guardOf(table)}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF EXISTS (
          SELECT FROM added, LATERAL (SELECT organization_id FROM role WHERE role.id = added.role_id OFFSET 0) AS role
          WHERE role.organization_id IS NOT NULL AND role.organization_id IS DISTINCT FROM ${place}
        ) THEN
          RAISE EXCEPTION 'A role of an organization can only be given there' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
      END $$`);
    for (const [event, keyword] of Object.entries(EVENTS)) {
      await runner.query(`
        CREATE TRIGGER ${table}_inside_on_${event} AFTER ${keyword} ON ${table} REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION ${guardOf(table)}()`);
    }
  }
}
