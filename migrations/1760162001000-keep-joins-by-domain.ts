import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who are about to become members by a domain, so that a crash loses no membership. */
export class KeepJoinsByDomain1760162001000 implements MigrationInterface {
  name = 'KeepJoinsByDomain1760162001000';
  creates = ['organization_domain_join', 'organization_domain_join_pk', 'organization_domain_join_by_time'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_domain_join (
        user_id uuid NOT NULL,
        domain varchar(253) NOT NULL,
        organization_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        attempted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_domain_join_pk PRIMARY KEY (user_id, domain, organization_id)
      )`);
    await runner.query('CREATE INDEX organization_domain_join_by_time ON organization_domain_join (attempted_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_domain_join');
  }
}
