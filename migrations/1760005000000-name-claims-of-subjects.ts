import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Primary subject claim of each provider template; `sub` for all other templates. */
const FIRST_CLAIM = `CASE provider.template
  WHEN 'github' THEN 'id' WHEN 'gitee' THEN 'id' WHEN 'microsoft' THEN 'oid' WHEN 'feishu' THEN 'union_id'
  WHEN 'dingtalk' THEN 'unionId' WHEN 'wecom' THEN 'userid' WHEN 'wechat' THEN 'unionid' WHEN 'qq' THEN 'unionid'
  WHEN 'alipay' THEN 'open_id' ELSE 'sub' END`;

export class NameClaimsOfSubjects1760005000000 implements MigrationInterface {
  name = 'NameClaimsOfSubjects1760005000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_identity_subject ADD COLUMN claim varchar(400) NOT NULL DEFAULT 'sub'`);
    // It is unknown which of several claims a stored subject came from: assume the first one.
    await runner.query(`
      UPDATE user_identity_subject SET claim = split_part(coalesce(provider.mapping ->> 'subject', ${FIRST_CLAIM}), '|', 1)
      FROM oauth_provider provider WHERE provider.id = provider_id`);
    await runner.query(`ALTER TABLE user_identity_subject ALTER COLUMN claim DROP DEFAULT`);
    await runner.query(`ALTER TABLE user_identity_subject DROP CONSTRAINT user_identity_subject_pk`);
    await runner.query(`
      ALTER TABLE user_identity_subject
      ADD CONSTRAINT user_identity_subject_pk PRIMARY KEY (provider_id, issuer, claim, subject)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE user_identity_subject DROP CONSTRAINT user_identity_subject_pk`);
    await runner.query(`
      DELETE FROM user_identity_subject one USING user_identity_subject other
      WHERE one.provider_id = other.provider_id AND one.issuer = other.issuer AND one.subject = other.subject
        AND one.claim > other.claim`);
    await runner.query(`ALTER TABLE user_identity_subject DROP COLUMN claim`);
    await runner.query(`
      ALTER TABLE user_identity_subject
      ADD CONSTRAINT user_identity_subject_pk PRIMARY KEY (provider_id, issuer, subject)`);
  }
}
