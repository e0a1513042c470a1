import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export const attributeTypes = ['text', 'number', 'boolean', 'date', 'choice', 'text_list'] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** What the owner of an account may do with the value. */
export const ownerRights = ['none', 'read', 'write'] as const;
export type OwnerRight = (typeof ownerRights)[number];

export const requiredAt = ['no', 'registration', 'login'] as const;
export type RequiredAt = (typeof requiredAt)[number];

/** Who writes the value beside the owner: administrators, or directories alone. */
export const attributeSources = ['local', 'directory'] as const;
export type AttributeSource = (typeof attributeSources)[number];

export interface AttributeTexts {
  readonly en: string;
  readonly zh: string;
}

export interface AttributeChoice {
  readonly value: string;
  /** null: shown as it is. */
  readonly label: AttributeTexts | null;
}

/** What a value must satisfy. Limits that the type does not have are absent. */
export interface AttributeRules {
  /** For `choice`. */
  readonly choices?: readonly AttributeChoice[];
  /** For `number`, and for `date` as `YYYY-MM-DD`. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** For `text` and each item of a `text_list`, in code points. */
  readonly maxLength?: number;
  /** The whole text matches it (RE2 syntax). */
  readonly pattern?: string;
}

/** A field of users that operators or hosts define. */
@Entity({ name: 'user_attribute' })
@Check('user_attribute_type_known', `type IN ('text', 'number', 'boolean', 'date', 'choice', 'text_list')`)
@Check('user_attribute_owner_known', `owner IN ('none', 'read', 'write')`)
@Check('user_attribute_required_known', `required IN ('no', 'registration', 'login')`)
@Check('user_attribute_source_known', `source IN ('local', 'directory')`)
@Check('user_attribute_required_of_writers', `required = 'no' OR owner = 'write'`)
export class Attribute {
  @PrimaryColumn({ type: 'varchar', length: 50, collation: 'C', primaryKeyConstraintName: 'user_attribute_pk' })
  name: string;

  @Column({ type: 'varchar', length: 16 }) type: AttributeType;

  @Column({ type: 'jsonb' }) label: AttributeTexts;

  @Column({ type: 'jsonb' }) description: AttributeTexts;

  @Column({ type: 'jsonb' }) rules: AttributeRules;

  @Column({ type: 'varchar', length: 8 }) owner: OwnerRight;

  @Column({ type: 'varchar', length: 16 }) required: RequiredAt;

  @Column({ name: 'is_unique', type: 'boolean' }) unique: boolean;

  @Column({ type: 'boolean' }) searchable: boolean;

  @Column({ type: 'varchar', length: 16 }) source: AttributeSource;

  /** In lists and forms, ascending, then by name. */
  @Column({ type: 'int' }) position: number;

  /** Users up to this id have their search keys. null: all users. Only for `unique` and `searchable` attributes. */
  @Column({ name: 'indexed_to', type: 'uuid', nullable: true }) indexedTo: string | null;

  /** The values are kept for a day. null: in force. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true }) deletedAt: Date | null;
}

/** An attribute as services use it. */
export type AttributeView = Readonly<Omit<Attribute, never>>;

const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Whether it was deleted so long ago that its values do not come back. */
export const isGone = ({ deletedAt }: Pick<AttributeView, 'deletedAt'>): boolean =>
  deletedAt !== null && Date.now() - deletedAt.getTime() > KEPT_MS;

/** Whether values have keys, by which they are unique and found. */
export const hasKeys = ({ unique, searchable }: Pick<AttributeView, 'unique' | 'searchable'>): boolean =>
  unique || searchable;
