import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting that differs from its default, or once did. */
@Entity({ name: 'setting' })
export class StoredSetting {
  @PrimaryColumn({ type: 'varchar', length: 100, primaryKeyConstraintName: 'setting_pk' }) key: string;

  /** Stored form: secrets are sealed, and null means the default. */
  @Column({ type: 'jsonb', nullable: true }) value: unknown;

  /** Version of the last change. A setting that never changed has no row and version 0. */
  @Column({ type: 'int', default: 1 }) version: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;

  @Column({ name: 'updated_by', type: 'uuid', nullable: true }) updatedBy: string | null;
}
