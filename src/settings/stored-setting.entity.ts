import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting that differs from its default, or once did. */
@Entity({ name: 'setting' })
export class StoredSetting {
  @PrimaryColumn({ type: 'varchar', length: 100, primaryKeyConstraintName: 'setting_pk' }) key: string;

  /** As stored: secrets sealed. null: the default is in force. */
  @Column({ type: 'jsonb', nullable: true }) value: unknown;

  /** Of the last change; a setting that was never changed has version 0 and no row. */
  @Column({ type: 'int', default: 1 }) version: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;

  @Column({ name: 'updated_by', type: 'uuid', nullable: true }) updatedBy: string | null;
}
