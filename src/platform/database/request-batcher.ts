import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDatabaseUnavailable } from './database-errors';

const MAX_TOGETHER = 64;

export interface Ways<Ask, Answer> {
  /** Returns results in the order of the requests; undefined means that this request has to run alone. */
  readonly together: (asks: readonly Ask[]) => Promise<(Answer | undefined)[]>;
  readonly alone: (ask: Ask) => Promise<Answer>;
}

/**
 * Batches the requests of one tick of the event loop into one statement. If the statement fails, each request runs
 * alone, so that an error in one does not fail the others. An unavailable database fails all of them at once.
 */
export class RequestBatcher<Ask, Answer> {
  private readonly loader: DataLoader<Ask, Answer | undefined>;

  constructor(private readonly ways: Ways<Ask, Answer>) {
    // Runs outside any async context: a batch must not join the transaction of one of its callers.
    const outsideContext = AsyncLocalStorage.snapshot();
    this.loader = new DataLoader((asks) => this.askTogether(asks), {
      cache: false,
      maxBatchSize: MAX_TOGETHER,
      batchScheduleFn: (dispatch) => void setImmediate(outsideContext, dispatch),
    });
  }

  async ask(ask: Ask): Promise<Answer> {
    return (await this.loader.load(ask)) ?? this.ways.alone(ask);
  }

  private async askTogether(asks: readonly Ask[]): Promise<(Answer | undefined)[]> {
    const unresolved = asks.map(() => undefined);
    if (asks.length === 1) return unresolved;
    try {
      return await this.ways.together(asks);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return unresolved;
    }
  }
}
