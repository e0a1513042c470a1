import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeclaredKind } from './declared-item';

/** What the code of the host declared when it was last applied. */
@Entity({ name: 'host_declaration' })
export class HostDeclaration {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'host_declaration_pk' }) kind: DeclaredKind;

  @PrimaryColumn({ type: 'varchar', length: 200, primaryKeyConstraintName: 'host_declaration_pk' }) name: string;

  @Column({ type: 'jsonb' }) content: unknown;
}
