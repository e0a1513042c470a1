import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Slugs that organizations had, which others may not take at once. No foreign key: they outlive the organization. */
export class ReserveFormerSlugs1760171001000 implements MigrationInterface {
  name = 'ReserveFormerSlugs1760171001000';
  creates = [
    'organization_former_slug',
    'organization_former_slug_pk',
    'organization_former_slug_by_organization',
    'organization_former_slug_by_time',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_former_slug (
        slug varchar(50) COLLATE "C" NOT NULL,
        organization_id uuid NOT NULL,
        released_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_former_slug_pk PRIMARY KEY (slug)
      )`);
    await runner.query(
      'CREATE INDEX organization_former_slug_by_organization ON organization_former_slug (organization_id)',
    );
    await runner.query('CREATE INDEX organization_former_slug_by_time ON organization_former_slug (released_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_former_slug');
  }
}
