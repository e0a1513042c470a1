import type { User } from './models';
import type { Problem } from './problem';

/** Where an event comes from: tabs of an origin share their session. */
interface Origin {
  readonly isOtherTab: boolean;
}

/** The events of a client, by name. */
export interface CastellanEvents {
  /** A user has logged in. */
  readonly login: Origin & { readonly user: User };
  /** No user is logged in any more: by a logout, or with the `problem` of a response because the session has ended. */
  readonly logout: Origin & { readonly problem?: Problem };
  /** The access token was refreshed. */
  readonly refresh: Origin;
  /** The session is another one: a user has begun to act as another in this browser, or has stopped. */
  readonly acting: Origin;
  /**
   * The account or its permissions have changed, within the last second; also sent when the client begins to follow the
   * service, as it does while this event has a listener.
   */
  readonly change: Origin & { readonly user: User };
}

type Name = keyof CastellanEvents;
type Listener<N extends Name> = (event: CastellanEvents[N]) => void;
type Message = { [N in Name]: { readonly name: N; readonly event: Omit<CastellanEvents[N], 'isOtherTab'> } }[Name];

/** A `BroadcastChannel`, which reaches the other tabs. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((message: MessageEvent) => unknown) | null;
}

/** Sees all events, without the work that a listener starts. */
export type Observer = (name: Name, event: CastellanEvents[Name]) => void;

/** For parts of this package that get a client. */
export const OBSERVE = Symbol.for('castellan.observe');

export interface Observed {
  readonly [OBSERVE]: (observer: Observer) => void;
}

/** Starts work while an event has listeners; the returned function stops it. */
export type WhileListened = () => () => void;

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'name' in data && 'event' in data;

/** Delivers events to listeners in this tab and in the other tabs of the origin. */
export class EventHub {
  private readonly listeners = new Map<Name, Set<Listener<never>>>();
  private readonly observers = new Set<Observer>();
  private readonly work = new Map<Name, { readonly start: WhileListened; stop?: () => void }>();
  private channel: Channel | undefined;

  /** @param connect is called when the first event is sent or listened to */
  constructor(private readonly connect: () => Channel | undefined) {}

  whileListened(name: Name, start: WhileListened): void {
    this.work.set(name, { start });
  }

  readonly observe = (observer: Observer): void => {
    this.open();
    this.observers.add(observer);
  };

  /** The returned function removes the listener. */
  readonly on = <N extends Name>(name: N, listener: (event: CastellanEvents[N]) => void): (() => void) => {
    this.open();
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    const work = this.work.get(name);
    if (work) work.stop ??= work.start();
    return () => {
      known.delete(listener);
      if (known.size > 0) return;
      work?.stop?.();
      delete work?.stop;
    };
  };

  /** For this tab alone. */
  emit<N extends Name>(name: N, event: CastellanEvents[N]): void {
    for (const observer of this.observers) observer(name, event);
    for (const listener of [...(this.listeners.get(name) ?? [])]) (listener as Listener<N>)(event);
  }

  /** For this tab and all others. */
  publish<N extends Name>(name: N, event: Omit<CastellanEvents[N], 'isOtherTab'>): void {
    this.open()?.postMessage({ name, event });
    this.emit(name, { ...event, isOtherTab: false } as CastellanEvents[N]);
  }

  private open(): Channel | undefined {
    if (this.channel) return this.channel;
    this.channel = this.connect();
    if (this.channel) {
      this.channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (isMessage(data)) this.emit(data.name, { ...data.event, isOtherTab: true });
      };
    }
    return this.channel;
  }
}
