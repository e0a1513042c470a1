import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { eventually } from '../service/eventually';
import type { FeedItem } from './events';
import type { TestClient } from '../service/test-client';

interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: FeedItem;
}

interface StreamOptions {
  readonly path?: string;
  readonly query?: string;
  readonly lastId?: string;
  readonly headers?: Record<string, string>;
}

/** A reader of server-sent events, as a browser is. */
export class EventStream {
  readonly events: StreamedEvent[] = [];
  /** Of the last event or heartbeat. */
  lastId = '';
  isEnded = false;
  private hasBegun = false;
  private text = '';

  private constructor(readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      this.take(chunk);
    });
    answer.on('close', () => (this.isEnded = true));
    answer.on('error', () => undefined);
  }

  /** Opens a stream, by default of all events, and waits for its first event or heartbeat. */
  static async open(
    port: number,
    { cookie }: Pick<TestClient, 'cookie'>,
    { path = '/api/event/stream', query = '', lastId, headers: more }: StreamOptions = {},
  ): Promise<EventStream> {
    const headers = { cookie, ...more, ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const sent = request({ port, path: `${path}${query}`, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const stream = new EventStream(answer);
    if (answer.statusCode === 200) await stream.until(() => stream.hasBegun);
    return stream;
  }

  async until(isDone: () => boolean, seconds = 30): Promise<void> {
    await eventually(async () => isDone(), Boolean, seconds);
  }

  close(): void {
    this.answer.destroy();
  }

  private take(chunk: string): void {
    const blocks = (this.text + chunk).split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) this.takeBlock(block);
  }

  private takeBlock(block: string): void {
    this.hasBegun = true;
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), valueOf(line)]));
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    if (data === undefined) return;
    this.events.push({ id: this.lastId, type: fields.get('event') ?? '', data: JSON.parse(data) as FeedItem });
  }
}

const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).trimStart();
