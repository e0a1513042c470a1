import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MessageChannel } from '../messaging';

/** Counts the messages sent to a contact, and the wrong codes entered for it. */
@Entity({ name: 'verification_target' })
@Index('verification_target_by_touch', ['touchedAt'])
export class VerificationTarget {
  @PrimaryColumn({ type: 'varchar', length: 8, primaryKeyConstraintName: 'verification_target_pk' })
  channel: MessageChannel;

  @PrimaryColumn({ type: 'varchar', length: 254, primaryKeyConstraintName: 'verification_target_pk' }) target: string;

  /** The day that `sent` counts, by `code.day_starts_at`. */
  @Column({ name: 'sent_on', type: 'date', nullable: true }) sentOn: string | null;

  @Column({ type: 'int', default: 0 }) sent: number;

  @Column({ name: 'last_sent_at', type: 'timestamptz', nullable: true }) lastSentAt: Date | null;

  /** The day that `wrong` and `wrong_own` count. */
  @Column({ name: 'wrong_on', type: 'date', nullable: true }) wrongOn: string | null;

  /** Wrong attempts without the cookie of the request, including those being verified. */
  @Column({ type: 'int', default: 0 }) wrong: number;

  /** Wrong attempts by the browser or session that requested the code. */
  @Column({ name: 'wrong_own', type: 'int', default: 0 }) wrongOwn: number;

  @Column({ name: 'touched_at', type: 'timestamptz', default: () => 'now()' }) touchedAt: Date;
}
