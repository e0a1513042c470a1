import { Column, Entity, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'message_template_pk';

/** One change of a template. The latest version applies. */
@Entity({ name: 'message_template' })
export class MessageTemplateVersion {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName }) channel: string;

  @PrimaryColumn({ type: 'varchar', length: 32, primaryKeyConstraintName }) purpose: string;

  @PrimaryColumn({ type: 'varchar', length: 8, primaryKeyConstraintName }) locale: string;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName }) version: number;

  @Column({ type: 'varchar', length: 200, nullable: true }) subject: string | null;

  /** null: this version restored the default. */
  @Column({ type: 'text', nullable: true }) text: string | null;

  @Column({ type: 'text', nullable: true }) html: string | null;

  @Column({ name: 'provider_template', type: 'varchar', length: 100, nullable: true }) providerTemplate: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) changedAt: Date;

  @Column({ name: 'changed_by', type: 'uuid', nullable: true }) changedBy: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true }) reason: string | null;
}
