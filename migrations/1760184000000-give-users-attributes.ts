import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fields of users that operators define, their values, and the keys by which values are unique and found. */
export class GiveUsersAttributes1760184000000 implements MigrationInterface {
  name = 'GiveUsersAttributes1760184000000';
  creates = [
    'user_attribute',
    'user_attribute_pk',
    'user_attribute_key',
    'user_attribute_key_pk',
    'user_attribute_key_unique',
    'user_attribute_key_by_value',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    // A constant default is stored once for all rows, so that the table is not rewritten.
    await runner.query(`ALTER TABLE user_account ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE TABLE user_attribute (
        name varchar(50) COLLATE "C" NOT NULL,
        type varchar(16) NOT NULL,
        label jsonb NOT NULL,
        description jsonb NOT NULL,
        rules jsonb NOT NULL,
        owner varchar(8) NOT NULL,
        required varchar(16) NOT NULL,
        is_unique boolean NOT NULL,
        searchable boolean NOT NULL,
        source varchar(16) NOT NULL,
        position int NOT NULL,
        indexed_to uuid,
        deleted_at timestamptz(3),
        CONSTRAINT user_attribute_pk PRIMARY KEY (name),
        CONSTRAINT user_attribute_type_known CHECK (type IN ('text', 'number', 'boolean', 'date', 'choice', 'text_list')),
        CONSTRAINT user_attribute_owner_known CHECK (owner IN ('none', 'read', 'write')),
        CONSTRAINT user_attribute_required_known CHECK (required IN ('no', 'registration', 'login')),
        CONSTRAINT user_attribute_source_known CHECK (source IN ('local', 'directory')),
        CONSTRAINT user_attribute_required_of_writers CHECK (required = 'no' OR owner = 'write')
      )`);
    await runner.query(`
      CREATE TABLE user_attribute_key (
        user_id uuid NOT NULL,
        attribute varchar(50) COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        is_unique boolean NOT NULL,
        CONSTRAINT user_attribute_key_pk PRIMARY KEY (user_id, attribute, key),
        CONSTRAINT user_attribute_key_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX user_attribute_key_unique ON user_attribute_key (attribute, key) WHERE is_unique',
    );
    await runner.query('CREATE INDEX user_attribute_key_by_value ON user_attribute_key (attribute, key, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_attribute_key');
    await runner.query('DROP TABLE user_attribute');
    await runner.query('ALTER TABLE user_account DROP COLUMN attributes');
  }
}
