import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roots without events are few, and say what retention dropped. */
export class FindRootsOfDrops1760170000000 implements MigrationInterface {
  name = 'FindRootsOfDrops1760170000000';
  creates = ['audit_root_without_events'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audit_root_without_events ON audit_root (number) WHERE events = 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_root_without_events');
  }
}
