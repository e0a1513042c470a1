import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../users';

/** Maps a user of another system to a user of this service, so that an import can be repeated or continued. */
@Entity({ name: 'imported_user' })
@Index('imported_user_by_user', ['userId'])
export class ImportedUser {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'imported_user_pk' }) source: string;

  @PrimaryColumn({ name: 'source_id', type: 'varchar', length: 255, primaryKeyConstraintName: 'imported_user_pk' })
  sourceId: string;

  @ForeignKey(() => User, { name: 'imported_user_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Whether the import created the account. Otherwise it was merged into an existing account of the same person. */
  @Column({ type: 'boolean' }) made: boolean;

  @Column({ name: 'imported_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) importedAt: Date;
}
