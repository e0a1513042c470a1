import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../users';

/** Who of another system became which of our users: by it an import that is repeated, or goes on after a kill, finds its way. */
@Entity({ name: 'imported_user' })
@Index('imported_user_by_user', ['userId'])
export class ImportedUser {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'imported_user_pk' }) source: string;

  @PrimaryColumn({ name: 'source_id', type: 'varchar', length: 255, primaryKeyConstraintName: 'imported_user_pk' })
  sourceId: string;

  @ForeignKey(() => User, { name: 'imported_user_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Whether the import made the account; else it was there, and its owner is the same. */
  @Column({ type: 'boolean' }) made: boolean;

  @Column({ name: 'imported_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) importedAt: Date;
}
