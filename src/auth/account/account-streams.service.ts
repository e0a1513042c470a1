import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { CacheFactory, KeyValueCache } from '../../platform/cache';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { ProblemError } from '../../platform/errors';
import { PushStream, PushStreams, RequestChecksService } from '../../platform/http';
import { Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';
import { SessionAuthenticatorService } from '../../session';
import { changedStreams } from './account-changes';
import { OwnAccountService } from './own-account.service';

/** Each heartbeat checks the stream, because the announcement of a change can be lost. */
const HEARTBEAT_SECONDS = 15;
/** Without Redis, instances announce nothing to each other, so the database is read within each second. */
const UNANNOUNCED_SECONDS = 0.8;
/** Each check reads session and account again, so a stream may outlive its access token. */
const MAX_MS = 12 * 3_600_000;
/** In this process. */
const MAX_STREAMS = 2_000;
/** The tabs of a browser share one. */
const MAX_STREAMS_OF_A_USER = 10;

interface AccountFollower {
  /** Id of the user. */
  readonly ownerId: string;
  readonly sessionId: string;
  readonly actor: Caller['actor'];
  readonly request: FastifyRequest;
  /** What the page knows. */
  sent: string;
  /** The last check. */
  checked: Promise<void>;
}

interface CheckOptions {
  readonly fromDatabase: boolean;
}

const CACHED: CheckOptions = { fromDatabase: false };
/** Topics that announce the end of a session. */
const ENDING: ReadonlySet<string> = new Set(['session', 'user']);

type AccountStream = PushStream<AccountFollower>;

/**
 * Sends users their account and permissions when they change, as server-sent events, so that a page can show or hide
 * within a second what its user may do. A stream ends with its session.
 */
@Injectable()
export class AccountStreamsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new PushStreams<AccountFollower>({
    maxStreams: MAX_STREAMS,
    maxStreamsOfOwner: MAX_STREAMS_OF_A_USER,
    maxMs: MAX_MS,
  });

  constructor(
    private readonly caches: CacheFactory,
    private readonly cache: KeyValueCache,
    private readonly environment: Environment,
    private readonly authenticator: SessionAuthenticatorService,
    private readonly accounts: OwnAccountService,
    private readonly requests: RequestChecksService,
    private readonly jobs: Scheduler,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.caches.onChange((topic, keys) => {
      this.announced(topic, keys);
    });
    this.jobs.every(UNANNOUNCED_SECONDS, { name: 'unannounced accounts', run: () => this.findUnannounced() });
    this.jobs.every(HEARTBEAT_SECONDS, { name: 'account streams', run: () => this.beat() });
    this.metrics.gauge(
      'castellan_account_streams',
      'Open streams of accounts to pages of this instance',
      () => this.streams.size,
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }

  /** Errors: `unavailable` while the service stops, `rate_limited` for too many streams. */
  async open({ userId, sessionId, actor }: Caller, request: FastifyRequest): Promise<Readable> {
    const reader = { ownerId: userId, sessionId, actor, request };
    const stream = this.streams.open({ ...reader, sent: '', checked: Promise.resolve() });
    try {
      await this.check(stream, CACHED);
    } catch (error) {
      // Nobody will read it, so it would keep its place.
      stream.events.destroy();
      throw error;
    }
    return stream.events;
  }

  private announced(topic: string, keys: readonly string[] | undefined): void {
    const streams = changedStreams(this.streams, topic, keys);
    if (streams.length === 0) return;
    // A shared cache may still hold the session that was ended.
    const options = { fromDatabase: keys !== undefined && ENDING.has(topic) };
    this.jobs.runInBackground({ name: 'changed accounts', run: () => this.checkAll(streams, options) });
  }

  private async findUnannounced(): Promise<void> {
    const isAnnounced = this.environment.redisUrl !== undefined && !this.cache.isDegraded;
    if (!isAnnounced) await this.checkAll(this.streams, { fromDatabase: true });
  }

  private async beat(): Promise<void> {
    for (const stream of this.streams) {
      if (stream.isOver) stream.end();
      else stream.push('heartbeat', {});
    }
    await this.checkAll(this.streams, CACHED);
  }

  /** Reads of one turn are batched into one statement each. */
  private async checkAll(streams: Iterable<AccountStream>, options: CheckOptions): Promise<void> {
    await Promise.all([...streams].map((stream) => this.check(stream, options)));
  }

  /** One after the other, so that no older state follows a newer one. */
  private check(stream: AccountStream, options: CheckOptions): Promise<void> {
    const { reader } = stream;
    const check = reader.checked.then(() => this.checkNow(stream, options));
    reader.checked = check.catch(() => undefined);
    return check;
  }

  private async checkNow(stream: AccountStream, options: CheckOptions): Promise<void> {
    const { reader } = stream;
    try {
      await this.requests.requireKnownOrigin(reader.request);
      const { ownerId: userId, sessionId, actor } = reader;
      const bearer = await this.authenticator.assertActive({ userId, sessionId }, options);
      const json = await this.accounts.json({ ...bearer, actor }, options);
      if (json !== reader.sent) stream.pushJson('account', json);
      reader.sent = json;
    } catch (error) {
      // A page that lost its login or its origin finds out. After any other error the next check decides.
      if (!isRejection(error)) throw error;
      stream.push('ended', { code: error.code });
      stream.end();
    }
  }
}

const isRejection = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && (error.status === 401 || error.status === 403);
