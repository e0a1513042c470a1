import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PassThrough, Readable } from 'node:stream';
import { CacheFactory } from '../platform/cache';
import { platformErrors } from '../platform/errors';
import { Scheduler } from '../platform/jobs';
import { MetricsService } from '../platform/metrics';
import { subjectsOf } from './change-subjects';
import { GuardRegistrationService } from './guard-registration.service';
import { GuardedServicesService } from './guarded-services.service';

const HEARTBEAT_SECONDS = 1;
/** As long as an access token of the client, so that a rotated secret ends the stream, too. */
const MAX_MS = 900_000;
/** In this process, one per process of a service. */
const MAX_STREAMS = 1_000;
/** What a reader may leave unread, in bytes. A slower one is disconnected and asks again. */
const MAX_UNREAD = 65_536;
const RETRY_AFTER_SECONDS = 5;

interface ChangeStream {
  readonly clientId: string;
  readonly request: FastifyRequest;
  readonly out: PassThrough;
  /** By `performance.now()`. */
  readonly until: number;
}

/** Pushes changes of sessions and permissions to the guards of other services, as server-sent events. */
@Injectable()
export class ChangeStreamsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly streams = new Set<ChangeStream>();
  private isStopping = false;

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

  /** Otherwise the streams would delay the stop. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const { out } of this.streams) out.end();
  }

  /** Errors: `unavailable` while the service stops, `rate_limited` for too many streams. */
  async open(clientId: string, request: FastifyRequest): Promise<Readable> {
    if (this.isStopping) throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (this.streams.size >= MAX_STREAMS) throw platformErrors.rateLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    const stream = { clientId, request, out: new PassThrough(), until: performance.now() + MAX_MS };
    this.streams.add(stream);
    stream.out.once('close', () => this.streams.delete(stream));
    await this.beatOne(stream);
    return stream.out;
  }

  private publish(topic: string, keys: readonly string[] | undefined): void {
    if (this.streams.size === 0) return;
    const subjects = subjectsOf(topic, keys);
    if (!subjects) return;
    const at = new Date().toISOString();
    const event = formatEvent('change', subjects === 'all' ? { at } : { at, subjects });
    for (const stream of this.streams) write(stream, event);
  }

  private async beat(): Promise<void> {
    const clientIds = [...new Set([...this.streams].map(({ clientId }) => clientId))];
    const found = await Promise.all(clientIds.map(async (id) => ((await this.services.find(id)) ? id : undefined)));
    const entitled = new Set(found);
    for (const stream of [...this.streams]) {
      if (entitled.has(stream.clientId) && performance.now() < stream.until) await this.beatOne(stream);
      else stream.out.end();
    }
  }

  /** A setting can change the name of the cookie, so each heartbeat carries it. */
  private async beatOne(stream: ChangeStream): Promise<void> {
    write(stream, formatEvent('heartbeat', { access_cookie: await this.registration.accessCookie(stream.request) }));
  }
}

const formatEvent = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

function write({ out }: ChangeStream, event: string): void {
  if (out.writableEnded) return;
  if (out.writableLength + out.readableLength > MAX_UNREAD) out.destroy();
  else out.write(event);
}
