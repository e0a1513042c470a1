import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a setting, with its values as stored: secrets sealed, null for the default. */
@Entity({ name: 'setting_history' })
export class SettingChange {
  @PrimaryColumn({ type: 'varchar', length: 100, primaryKeyConstraintName: 'setting_history_pk' }) key: string;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'setting_history_pk' }) version: number;

  @Column({ name: 'from_value', type: 'jsonb', nullable: true }) fromValue: unknown;

  @Column({ name: 'to_value', type: 'jsonb', nullable: true }) toValue: unknown;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) changedAt: Date;

  @Column({ name: 'changed_by', type: 'uuid', nullable: true }) changedBy: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true }) reason: string | null;
}
