import { OnModuleInit } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { withDeadline } from '../../util';
import { InvalidationListener, Invalidations } from '../invalidations';
import { RedisClient, RedisServers } from './redis-client';
import { RedisLink } from './redis-link';

const PUBLISH_MS = 150;
const SUBSCRIBE_MS = 1_000;
/** Above this many keys, invalidating the whole topic is cheaper than naming them. */
const MAX_KEYS = 1_000;

interface Message {
  readonly from: string;
  readonly topic: string;
  /** Time of the change by the sender's clock, in milliseconds since the epoch. */
  readonly at?: number;
  /** Undefined: the whole topic. */
  readonly keys?: readonly string[];
}

export interface RedisInvalidationsOptions extends RedisServers {
  readonly channel: string;
}

/**
 * Invalidations over Redis publish/subscribe. Redis does not store messages, so every (re)subscription invalidates all
 * topics: messages may have been missed meanwhile. A message that failed to send is not sent again.
 */
export class RedisInvalidations extends Invalidations implements OnModuleInit {
  private onAge: (seconds: number) => void = () => undefined;
  private readonly listeners = new Map<string, InvalidationListener[]>();
  private readonly publishing: RedisLink;
  private readonly subscribing: RedisLink;
  private publisher: RedisClient | undefined;
  /** The last message got no timely reply: the next ones are sent without waiting. */
  private isLate = false;
  /** Identifies this instance, which ignores its own messages. */
  private readonly instance = uuidV7();

  constructor(private readonly options: RedisInvalidationsOptions) {
    super();
    // In a cluster, connects to the node that holds the channel's name. Nodes forward messages to each other with a
    // delay.
    const { channel: key, ...servers } = options;
    this.publishing = new RedisLink({
      servers,
      key,
      name: 'castellan-publish',
      onUp: async (client) => {
        this.publisher = client;
        this.isLate = false;
      },
      onDown: () => {
        this.publisher = undefined;
      },
    });
    // A Redis connection in subscriber mode accepts no other commands.
    this.subscribing = new RedisLink({
      servers,
      key,
      name: 'castellan-subscribe',
      onUp: (client) => this.listenOn(client),
      onDown: () => {
        this.invalidateEverything();
      },
    });
  }

  /** Connects in the background: an unreachable Redis does not delay the start. */
  onModuleInit(): void {
    this.publishing.start();
    this.subscribing.start();
  }

  async publish(topic: string, keys?: readonly string[]): Promise<void> {
    const client = this.publisher;
    if (!client || keys?.length === 0) return;
    const message: Message = {
      from: this.instance,
      topic,
      at: Date.now(),
      ...(keys && keys.length <= MAX_KEYS && { keys }),
    };
    await this.send(client, JSON.stringify(message));
  }

  subscribe(topic: string, listener: InvalidationListener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  onReceived(listener: (seconds: number) => void): void {
    this.onAge = listener;
  }

  async close(): Promise<void> {
    this.publisher = undefined;
    this.publishing.close();
    this.subscribing.close();
  }

  /**
   * Waits for the reply, so that a change has reached all instances by the time its caller gets a response. Stops
   * waiting while replies are late.
   */
  private async send(client: RedisClient, message: string): Promise<void> {
    const sent = client.publish(this.options.channel, message).then(
      () => {
        this.isLate = false;
      },
      (error: unknown) => {
        this.publishing.drop(client, error);
      },
    );
    if (this.isLate) return;
    try {
      await withDeadline(PUBLISH_MS, sent);
    } catch {
      // The message may still arrive; the heartbeat of the link detects a lost server.
      this.isLate = true;
    }
  }

  private async listenOn(client: RedisClient): Promise<void> {
    const subscribed = client.subscribe(this.options.channel, (message) => {
      this.receive(message);
    });
    await withDeadline(SUBSCRIBE_MS, subscribed);
    this.invalidateEverything();
  }

  private receive(text: string): void {
    const message = parse(text);
    if (!message) {
      this.invalidateEverything();
      return;
    }
    const { from, topic, at, keys } = message;
    if (from === this.instance) return;
    // Clocks differ: a negative age counts as 0.
    if (at !== undefined) this.onAge(Math.max(0, Date.now() - at) / 1_000);
    for (const listener of this.listeners.get(topic) ?? []) {
      if (keys) listener.invalidate(keys);
      else listener.invalidateAll();
    }
  }

  private invalidateEverything(): void {
    for (const listener of [...this.listeners.values()].flat()) listener.invalidateAll();
  }
}

/** Returns undefined for a format of a later version. */
function parse(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as Partial<Message> | null;
    const { from, topic, at, keys } = message ?? {};
    if (typeof from !== 'string' || typeof topic !== 'string') return undefined;
    if (keys !== undefined && !Array.isArray(keys)) return undefined;
    return { from, topic, ...(typeof at === 'number' && { at }), ...(keys && { keys }) };
  } catch {
    return undefined;
  }
}
