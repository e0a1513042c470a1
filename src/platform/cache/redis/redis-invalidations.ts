import { v7 as uuidV7 } from 'uuid';
import { withDeadline } from '../../time';
import { InvalidationListener, Invalidations } from '../invalidations';
import { RedisClient } from './redis-client';
import { RedisLink } from './redis-link';

const PUBLISH_MS = 150;
const SUBSCRIBE_MS = 1_000;
/** Above this many keys, invalidating the whole topic is cheaper than naming them. */
const MAX_KEYS = 1_000;

interface Message {
  readonly from: string;
  readonly topic: string;
  /** Undefined: the whole topic. */
  readonly at?: number;
  /** None: everything of the topic. */
  readonly keys?: readonly string[];
}

export interface RedisInvalidationsOptions {
  readonly url: string;
  readonly channel: string;
}

/**
 * Invalidations by Redis's publish and subscribe, which forgets what nobody heard: whenever the subscription was away,
 * everything that is believed is forgotten. A message that was lost is not sent again.
 */
export class RedisInvalidations extends Invalidations {
  private heard: (seconds: number) => void = () => undefined;
  private readonly listeners = new Map<string, InvalidationListener[]>();
  private readonly publishing: RedisLink;
  private readonly subscribing: RedisLink;
  private publisher: RedisClient | undefined;
  /** The last message has not been answered yet: the next are sent without waiting. */
  private isLate = false;
  /** Tells this instance from the others. */
  private readonly instance = uuidV7();

  constructor(private readonly options: RedisInvalidationsOptions) {
    super();
    // In a cluster, where the others are, too: what one node is told reaches those that listen at another a little later.
    const { url, channel: key } = options;
    this.publishing = new RedisLink({
      url,
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
    // A connection that subscribes can do nothing else.
    this.subscribing = new RedisLink({
      url,
      key,
      name: 'castellan-subscribe',
      onUp: (client) => this.listenOn(client),
      onDown: () => {
        this.invalidateEverything();
      },
    });
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

  onHeard(listener: (seconds: number) => void): void {
    this.heard = listener;
  }

  async close(): Promise<void> {
    this.publisher = undefined;
    this.publishing.close();
    this.subscribing.close();
  }

  /** Waits for the answer, so that a change binds everywhere by the time its maker hears of it, unless answers are late. */
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
      // It is on its way; whether the server lives is for the heartbeat to tell.
      this.isLate = true;
    }
  }

  private async listenOn(client: RedisClient): Promise<void> {
    const subscribed = client.subscribe(this.options.channel, (message) => {
      this.hear(message);
    });
    await withDeadline(SUBSCRIBE_MS, subscribed);
    this.invalidateEverything();
  }

  private hear(text: string): void {
    const message = parse(text);
    if (!message) {
      this.invalidateEverything();
      return;
    }
    const { from, topic, at, keys } = message;
    if (from === this.instance) return;
    // A sender whose clock is ahead counts as no delay.
    if (at !== undefined) this.heard(Math.max(0, Date.now() - at) / 1_000);
    for (const listener of this.listeners.get(topic) ?? []) {
      if (keys) listener.invalidate(keys);
      else listener.invalidateAll();
    }
  }

  private invalidateEverything(): void {
    for (const listener of [...this.listeners.values()].flat()) listener.invalidateAll();
  }
}

/** Undefined for what a later version may say. */
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
