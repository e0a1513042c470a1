import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';

/** Media type of server-sent events (WHATWG HTML §9.2). */
export const EVENT_STREAM = 'text/event-stream';

/** The response of a route that sends events. */
export function eventStreamFile(events: Readable, reply: FastifyReply): StreamableFile {
  // nginx would collect events.
  void reply.header('x-accel-buffering', 'no');
  return new StreamableFile(events, { type: EVENT_STREAM });
}
