import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whether a kind of login is offered; a kind without a row is. */
@Entity({ name: 'login_method' })
export class LoginMethodRow {
  @PrimaryColumn({ type: 'varchar', length: 32, primaryKeyConstraintName: 'login_method_pk' }) type: string;

  @Column({ type: 'boolean' }) enabled: boolean;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
