import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maximum length of a login method's type. */
export const MAX_LOGIN_TYPE = 32;

/** Whether a login method is enabled. A method without a row is enabled. */
@Entity({ name: 'login_method' })
export class LoginMethodSwitch {
  @PrimaryColumn({ type: 'varchar', length: MAX_LOGIN_TYPE, primaryKeyConstraintName: 'login_method_pk' }) type: string;

  @Column({ type: 'boolean' }) enabled: boolean;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
