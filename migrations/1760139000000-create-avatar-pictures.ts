import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures that users upload. */
export class CreateAvatarPictures1760139000000 implements MigrationInterface {
  name = 'CreateAvatarPictures1760139000000';
  creates = ['avatar_picture', 'avatar_picture_pk', 'avatar_picture_by_user'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE avatar_picture (
        name varchar(22) COLLATE "C" NOT NULL,
        user_id uuid NOT NULL,
        format varchar(4) NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT avatar_picture_pk PRIMARY KEY (name),
        CONSTRAINT avatar_picture_user_fk FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX avatar_picture_by_user ON avatar_picture (user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE avatar_picture');
  }
}
