import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, and what their members hold in them. Grants that hold everywhere keep their tables. */
export class CreateOrganizations1760130000000 implements MigrationInterface {
  name = 'CreateOrganizations1760130000000';
  creates = [
    'organization',
    'organization_by_name',
    'organization_member',
    'organization_member_by_user',
    'organization_member_grant',
    'organization_member_grant_pk',
    'organization_member_pk',
    'organization_member_role',
    'organization_member_role_by_role',
    'organization_member_role_pk',
    'organization_pk',
    'organization_slug_unique',
    'user_group_by_organization',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization (
        id uuid NOT NULL,
        slug varchar(50) COLLATE "C" NOT NULL,
        name varchar(100) NOT NULL,
        name_key varchar(300) COLLATE "C" NOT NULL,
        logo varchar(2048) NOT NULL DEFAULT '',
        attributes jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_pk PRIMARY KEY (id),
        CONSTRAINT organization_slug_unique UNIQUE (slug)
      )`);
    await runner.query('CREATE INDEX organization_by_name ON organization (name_key, id)');
    await createMembers(runner);
    await runner.query(`
      ALTER TABLE user_group ADD COLUMN organization_id uuid,
        ADD CONSTRAINT user_group_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
          ON DELETE CASCADE`);
    await runner.query('CREATE INDEX user_group_by_organization ON user_group (organization_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM user_group WHERE organization_id IS NOT NULL');
    await runner.query('ALTER TABLE user_group DROP COLUMN organization_id');
    for (const table of ['organization_member_grant', 'organization_member_role', 'organization_member']) {
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query('DROP TABLE organization');
  }
}

async function createMembers(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE organization_member (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      joined_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT organization_member_pk PRIMARY KEY (organization_id, user_id),
      CONSTRAINT organization_member_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id)
        ON DELETE CASCADE,
      CONSTRAINT organization_member_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
    )`);
  await runner.query('CREATE INDEX organization_member_by_user ON organization_member (user_id, organization_id)');
  await runner.query(`
    CREATE TABLE organization_member_role (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      role_id uuid NOT NULL,
      CONSTRAINT organization_member_role_pk PRIMARY KEY (organization_id, user_id, role_id),
      CONSTRAINT organization_member_role_member_fk FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_member (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT organization_member_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
    )`);
  await runner.query(
    'CREATE INDEX organization_member_role_by_role ON organization_member_role (role_id, organization_id, user_id)',
  );
  await runner.query(`
    CREATE TABLE organization_member_grant (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      scope varchar(50) NOT NULL,
      permission_id varchar(101) NOT NULL,
      level smallint NOT NULL,
      CONSTRAINT organization_member_grant_pk PRIMARY KEY (organization_id, user_id, scope, permission_id),
      CONSTRAINT organization_member_grant_level_known CHECK (level BETWEEN 1 AND 7),
      CONSTRAINT organization_member_grant_member_fk FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_member (organization_id, user_id) ON DELETE CASCADE
    )`);
}
