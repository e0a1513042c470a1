import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRoles1760000001000 implements MigrationInterface {
  name = 'CreateRoles1760000001000';
  creates = [
    'role',
    'role_grant',
    'role_grant_pk',
    'role_name_unique',
    'role_pk',
    'user_grant',
    'user_grant_pk',
    'user_role',
    'user_role_by_role',
    'user_role_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE role (
        id uuid NOT NULL,
        scope varchar(50) NOT NULL,
        name varchar(50) NOT NULL,
        description varchar(500) NOT NULL DEFAULT '',
        is_system boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT role_pk PRIMARY KEY (id),
        CONSTRAINT role_name_unique UNIQUE (scope, name)
      )`);
    await runner.query(`
      CREATE TABLE role_grant (
        role_id uuid NOT NULL,
        scope varchar(50) NOT NULL,
        permission_id varchar(101) NOT NULL,
        level smallint NOT NULL,
        CONSTRAINT role_grant_pk PRIMARY KEY (role_id, scope, permission_id),
        CONSTRAINT role_grant_level_known CHECK (level BETWEEN 1 AND 7),
        CONSTRAINT role_grant_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE user_role (
        user_id uuid NOT NULL,
        role_id uuid NOT NULL,
        granted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT user_role_pk PRIMARY KEY (user_id, role_id),
        CONSTRAINT user_role_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE,
        CONSTRAINT user_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX user_role_by_role ON user_role (role_id, user_id)`);
    await runner.query(`
      CREATE TABLE user_grant (
        user_id uuid NOT NULL,
        scope varchar(50) NOT NULL,
        permission_id varchar(101) NOT NULL,
        level smallint NOT NULL,
        CONSTRAINT user_grant_pk PRIMARY KEY (user_id, scope, permission_id),
        CONSTRAINT user_grant_level_known CHECK (level BETWEEN 1 AND 7),
        CONSTRAINT user_grant_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['user_grant', 'user_role', 'role_grant', 'role']) await runner.query(`DROP TABLE ${table}`);
  }
}
