import DataLoader from 'dataloader';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDatabaseUnavailable } from './database-errors';

const MAX_TOGETHER = 64;

export interface Ways<Ask, Answer> {
  /** In the order of the asks; undefined: that one is to be asked alone. */
  readonly together: (asks: readonly Ask[]) => Promise<(Answer | undefined)[]>;
  readonly alone: (ask: Ask) => Promise<Answer>;
}

/**
 * Asks together, in one statement, what is asked for in one turn of the event loop. Nobody is told what befell another:
 * where the database refuses the statement, each is asked alone; only a database that is out of reach is so for all.
 */
export class RequestBatcher<Ask, Answer> {
  private readonly turn: DataLoader<Ask, Answer | undefined>;

  constructor(private readonly ways: Ways<Ask, Answer>) {
    // In nobody's context: what one asks for within a transaction must not draw the others into it.
    const apart = AsyncLocalStorage.snapshot();
    this.turn = new DataLoader((asks) => this.askTogether(asks), {
      cache: false,
      maxBatchSize: MAX_TOGETHER,
      batchScheduleFn: (dispatch) => void setImmediate(apart, dispatch),
    });
  }

  async ask(ask: Ask): Promise<Answer> {
    return (await this.turn.load(ask)) ?? this.ways.alone(ask);
  }

  private async askTogether(asks: readonly Ask[]): Promise<(Answer | undefined)[]> {
    const nothing = asks.map(() => undefined);
    if (asks.length === 1) return nothing;
    try {
      return await this.ways.together(asks);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return nothing;
    }
  }
}
