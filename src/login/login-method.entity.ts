import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Characters of a kind's name. */
export const MAX_LOGIN_TYPE = 32;

/** Whether a kind of login is offered; a kind without a row is. */
@Entity({ name: 'login_method' })
export class LoginMethodSwitch {
  @PrimaryColumn({ type: 'varchar', length: MAX_LOGIN_TYPE, primaryKeyConstraintName: 'login_method_pk' }) type: string;

  @Column({ type: 'boolean' }) enabled: boolean;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
