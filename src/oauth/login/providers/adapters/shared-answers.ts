import { ConfiguredProvider } from '../configured-provider';

/** The response, and how long it may be cached. */
export interface Lasting<T> {
  readonly value: T;
  readonly milliseconds: number;
}

interface Shared<T> {
  readonly answer: Promise<T>;
  value?: T;
  /** undefined: it has not come yet. */
  until?: number;
}

/** So that a provider that is silent is not asked by every request. */
const FAILURE_MS = 5_000;

/**
 * Asks each provider once for all callers: those who arrive meanwhile wait for the same response, and a failure is
 * cached
 * for five seconds. Keyed by object identity: a changed provider is a new key.
 */
export class SharedAnswers<T> {
  private readonly known = new WeakMap<ConfiguredProvider, Shared<T>>();

  /** @param now a clock in milliseconds that never goes back. */
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

  /** Unless it was replaced by another meanwhile. */
  forget(provider: ConfiguredProvider, value: T): void {
    if (this.known.get(provider)?.value === value) this.known.delete(provider);
  }
}
