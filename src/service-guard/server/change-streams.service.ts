import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { CacheFactory } from '../../platform/cache';
import { PushStream, PushStreams } from '../../platform/http';
import { Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';
import { subjectsOf } from './change-subjects';
import { GuardRegistrationService } from './guard-registration.service';
import { GuardedServicesService } from './guarded-services.service';

const HEARTBEAT_SECONDS = 1;
/** As long as an access token of the client, so that a rotated secret ends the stream, too. */
const MAX_MS = 900_000;
/** In this process. */
const MAX_STREAMS = 1_000;
/** One for each process of the service. */
const MAX_STREAMS_OF_A_CLIENT = 100;

interface Follower {
  /** Id of the client. */
  readonly ownerId: string;
  readonly request: FastifyRequest;
}

/** Pushes changes of sessions and permissions to the guards of other services, as server-sent events. */
@Injectable()
export class ChangeStreamsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new PushStreams<Follower>({
    maxStreams: MAX_STREAMS,
    maxStreamsOfOwner: MAX_STREAMS_OF_A_CLIENT,
    maxMs: MAX_MS,
  });

  constructor(
    private readonly caches: CacheFactory,
    private readonly services: GuardedServicesService,
    private readonly registration: GuardRegistrationService,
    private readonly jobs: Scheduler,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.caches.onChange((topic, keys) => {
      this.publish(topic, keys);
    });
    this.jobs.every(HEARTBEAT_SECONDS, { name: 'guard streams', run: () => this.beat() });
    this.metrics.gauge(
      'castellan_guard_streams',
      'Processes of other services that follow the changes of this instance',
      () => this.streams.size,
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }

  /** Errors: `unavailable` while the service stops, `rate_limited` for too many streams. */
  async open(clientId: string, request: FastifyRequest): Promise<Readable> {
    const stream = this.streams.open({ ownerId: clientId, request });
    try {
      await this.beatOne(stream);
    } catch (error) {
      // Nobody will read it, so it would keep its place.
      stream.events.destroy();
      throw error;
    }
    return stream.events;
  }

  private publish(topic: string, keys: readonly string[] | undefined): void {
    if (this.streams.size === 0) return;
    const subjects = subjectsOf(topic, keys);
    if (!subjects) return;
    const at = new Date().toISOString();
    const json = JSON.stringify(subjects === 'all' ? { at } : { at, subjects });
    for (const stream of this.streams) stream.pushJson('change', json);
  }

  private async beat(): Promise<void> {
    const clientIds = [...new Set([...this.streams].map(({ reader }) => reader.ownerId))];
    const found = await Promise.all(clientIds.map(async (id) => ((await this.services.find(id)) ? id : undefined)));
    const entitled = new Set(found);
    for (const stream of this.streams) {
      if (entitled.has(stream.reader.ownerId) && !stream.isOver) await this.beatOne(stream);
      else stream.end();
    }
  }

  /** A setting can change the name of the cookie, so each heartbeat carries it. */
  private async beatOne(stream: PushStream<Follower>): Promise<void> {
    stream.push('heartbeat', { access_cookie: await this.registration.accessCookie(stream.reader.request) });
  }
}
