import { ConfiguredProvider } from '../configured-provider';

/** A value, and how long it may be cached. */
export interface Lasting<T> {
  readonly value: T;
  readonly milliseconds: number;
}

interface Shared<T> {
  readonly answer: Promise<T>;
  value?: T;
  /** undefined: still pending. */
  until?: number;
}

/** Avoids a call for every request while a provider is down. */
const FAILURE_MS = 5_000;

/**
 * Calls each provider once for all callers: concurrent callers wait for the same response, and a failure is cached for
 * five seconds. Keyed by object, because a changed provider is a new object.
 */
export class SharedAnswers<T> {
  private readonly known = new WeakMap<ConfiguredProvider, Shared<T>>();

  /** @param now a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Errors: those of `ask`. */
  get(provider: ConfiguredProvider, ask: () => Promise<Lasting<T>>): Promise<T> {
    const known = this.known.get(provider);
    if (known && (known.until === undefined || this.now() < known.until)) return known.answer;
    const asked = ask();
    const shared: Shared<T> = { answer: asked.then(({ value }) => value) };
    this.known.set(provider, shared);
    asked.then(
      ({ value, milliseconds }) => {
        shared.value = value;
        shared.until = this.now() + milliseconds;
      },
      () => {
        shared.until = this.now() + FAILURE_MS;
      },
    );
    return shared.answer;
  }

  /** Removes the value, unless it has already been replaced. */
  invalidate(provider: ConfiguredProvider, value: T): void {
    if (this.known.get(provider)?.value === value) this.known.delete(provider);
  }
}
