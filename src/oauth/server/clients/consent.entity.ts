import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../../users';
import { OAuthClient } from './client.entity';

/** The scopes that a user has granted to a client, stored to avoid asking again. */
@Entity({ name: 'oauth_consent' })
@Index('oauth_consent_by_client', ['clientId'])
export class OAuthConsent {
  @ForeignKey(() => User, { name: 'oauth_consent_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'oauth_consent_pk' })
  userId: string;

  @ForeignKey(() => OAuthClient, { name: 'oauth_consent_client_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'client_id', type: 'uuid', primaryKeyConstraintName: 'oauth_consent_pk' })
  clientId: string;

  @Column({ type: 'jsonb' }) scopes: readonly string[];

  @Column({ name: 'granted_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) grantedAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) lastUsedAt: Date;
}
