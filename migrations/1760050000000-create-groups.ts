import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Trees of users, whose members hold the roles of the group and of those above it. */
export class CreateGroups1760050000000 implements MigrationInterface {
  name = 'CreateGroups1760050000000';
  creates = [
    'user_group',
    'user_group_by_parent',
    'user_group_member',
    'user_group_member_by_group',
    'user_group_member_pk',
    'user_group_name_key_unique',
    'user_group_pk',
    'user_group_role',
    'user_group_role_by_role',
    'user_group_role_pk',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_group (
        id uuid NOT NULL,
        name varchar(100) NOT NULL,
        name_key varchar(300) COLLATE "C" NOT NULL,
        description varchar(500) NOT NULL DEFAULT '',
        parent_id uuid,
        path uuid[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT user_group_pk PRIMARY KEY (id),
        CONSTRAINT user_group_name_key_unique UNIQUE (name_key),
        CONSTRAINT user_group_depth CHECK (cardinality(path) BETWEEN 1 AND 6),
        CONSTRAINT user_group_parent_fk FOREIGN KEY (parent_id) REFERENCES user_group (id)
      )`);
    await runner.query(`CREATE INDEX user_group_by_parent ON user_group (parent_id)`);
    await runner.query(`
      CREATE TABLE user_group_member (
        user_id uuid NOT NULL,
        group_id uuid NOT NULL,
        CONSTRAINT user_group_member_pk PRIMARY KEY (user_id, group_id),
        CONSTRAINT user_group_member_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE,
        CONSTRAINT user_group_member_group_fk FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX user_group_member_by_group ON user_group_member (group_id, user_id)`);
    await runner.query(`
      CREATE TABLE user_group_role (
        group_id uuid NOT NULL,
        role_id uuid NOT NULL,
        CONSTRAINT user_group_role_pk PRIMARY KEY (group_id, role_id),
        CONSTRAINT user_group_role_group_fk FOREIGN KEY (group_id) REFERENCES user_group (id) ON DELETE CASCADE,
        CONSTRAINT user_group_role_role_fk FOREIGN KEY (role_id) REFERENCES role (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX user_group_role_by_role ON user_group_role (role_id, group_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['user_group_role', 'user_group_member', 'user_group']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
