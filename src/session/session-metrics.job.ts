import { Injectable, OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { MetricsService } from '../platform/metrics';
import { KeyReport, SigningKeysService } from './keys/signing-keys.service';
import { SessionRepository } from './store/session.repository';

const KEYS_SECONDS = 60;
/** Counting reads the whole session table. */
const SESSIONS_SECONDS = 300;

/** Reads active sessions and signing keys for the metrics, because a scrape must not query the database. */
@Injectable()
export class SessionMetricsJob implements OnModuleInit {
  private active: number | undefined;
  private keys: readonly KeyReport[] = [];

  constructor(
    private readonly sessions: SessionRepository,
    private readonly signingKeys: SigningKeysService,
    private readonly metrics: MetricsService,
    private readonly clock: DatabaseClock,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'castellan_sessions_active',
      'Active sessions of the whole service, counted every five minutes',
      () => this.active,
    );
    this.metrics.gauges('castellan_signing_key_age_seconds', 'Age of the signing keys', ['usage', 'algorithm'], () =>
      this.ages(),
    );
    this.scheduler.every(KEYS_SECONDS, { name: 'metrics of signing keys', run: () => this.readKeys() });
    this.scheduler.every(SESSIONS_SECONDS, { name: 'metrics of sessions', run: () => this.countSessions() });
  }

  async readKeys(): Promise<void> {
    this.keys = (await this.signingKeys.list()).filter(({ state }) => state === 'signing');
  }

  async countSessions(): Promise<void> {
    this.active = await this.sessions.countActive();
  }

  private ages(): { labels: { usage: string; algorithm: string }; value: number }[] {
    const now = this.clock.now();
    return this.keys.map(({ usage, algorithm, signsFrom }) => ({
      labels: { usage, algorithm },
      value: (now - signsFrom.getTime()) / 1_000,
    }));
  }
}
