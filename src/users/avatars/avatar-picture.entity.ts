import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../user.entity';
import type { PictureFormat } from './picture';

/** A picture that a user uploaded. */
@Entity({ name: 'avatar_picture' })
@Index('avatar_picture_by_user', ['userId'])
export class AvatarPicture {
  /** Random, because anyone who knows it can see the picture. */
  @PrimaryColumn({ type: 'varchar', length: 22, collation: 'C', primaryKeyConstraintName: 'avatar_picture_pk' })
  name: string;

  @ForeignKey(() => User, { name: 'avatar_picture_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'varchar', length: 4 }) format: PictureFormat;

  @Column({ type: 'bytea' }) content: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;
}
