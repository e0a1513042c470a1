import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A value of a user in the form in which values are compared. A list has one for each item. */
@Entity({ name: 'user_attribute_key' })
@Index('user_attribute_key_unique', ['attribute', 'key'], { unique: true, where: 'is_unique' })
@Index('user_attribute_key_by_value', ['attribute', 'key', 'userId'])
export class AttributeKey {
  // By name: the entity of users has values of attributes.
  @ForeignKey('User', { name: 'user_attribute_key_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'user_attribute_key_pk' })
  userId: string;

  @PrimaryColumn({ type: 'varchar', length: 50, collation: 'C', primaryKeyConstraintName: 'user_attribute_key_pk' })
  attribute: string;

  /** At most 200 code points of text. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'user_attribute_key_pk' }) key: string;

  @Column({ name: 'is_unique', type: 'boolean' }) isUnique: boolean;
}
