import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { MessageChannel } from '../../messaging';
import { Organization, Role } from '../../rbac';
import { User } from '../../users';

/** An open invitation to an organization. Accepting or withdrawing it deletes the row. */
@Entity({ name: 'invitation' })
@Check('invitation_channel_known', `channel IN ('email', 'sms')`)
@Index('invitation_contact_unique', ['organizationId', 'channel', 'target'], { unique: true })
@Index('invitation_token_unique', ['tokenDigest'], { unique: true })
@Index('invitation_by_organization', ['organizationId', 'id'])
@Index('invitation_by_inviter', ['inviterId'])
@Index('invitation_by_expiry', ['expiresAt'])
export class Invitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitation_pk' }) id: string;

  @ForeignKey(() => Organization, { name: 'invitation_organization_fk', onDelete: 'CASCADE' })
  @Column({ name: 'organization_id', type: 'uuid' })
  organizationId: string;

  @Column({ type: 'varchar', length: 8 }) channel: MessageChannel;

  /** For comparison: the address in lower case, or the phone number in E.164. */
  @Column({ type: 'varchar', length: 254 }) target: string;

  /** The address for messages, as typed. */
  @Column({ type: 'varchar', length: 254 }) address: string;

  /** SHA-256 of the token, which only the message has. */
  @Column({ name: 'token_digest', type: 'varchar', length: 43 }) tokenDigest: string;

  /** Null after the inviter was removed or deleted: nothing opens it until another user sends it. */
  @ForeignKey(() => User, { name: 'invitation_inviter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'inviter_id', type: 'uuid', nullable: true })
  inviterId: string | null;

  /** Whether the inviter is disabled. Nothing opens it then. */
  @VirtualColumn({
    type: 'boolean',
    query: (invitation) =>
      `SELECT EXISTS (SELECT 1 FROM user_account AS inviter WHERE inviter.id = ${invitation}.inviter_id AND inviter.status <> 'active')`,
  })
  isSuspended: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  /** When the present token was made. */
  @Column({ name: 'sent_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) sentAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}

/** A role that the invited person gets in the organization. A deleted role is no longer given. */
@Entity({ name: 'invitation_role' })
@Index('invitation_role_by_role', ['roleId'])
export class InvitationRole {
  @ForeignKey(() => Invitation, { name: 'invitation_role_invitation_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'invitation_id', type: 'uuid', primaryKeyConstraintName: 'invitation_role_pk' })
  invitationId: string;

  @ForeignKey(() => Role, { name: 'invitation_role_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'invitation_role_pk' })
  roleId: string;
}
