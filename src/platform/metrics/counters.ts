/** A counter that a feature declares beside its code, with `defineCounter`. */
export interface CounterDefinition<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  /** Series that start at 0. Otherwise their first count would create them, and Prometheus would see no increase. */
  readonly startingAtZero: readonly Readonly<Record<L, string>>[];
}

const defined: CounterDefinition[] = [];

/** Declares a counter of `/metrics`, once when a file is loaded. */
export function defineCounter<L extends string>(
  definition: Omit<CounterDefinition<L>, 'startingAtZero'> & Partial<CounterDefinition<L>>,
): CounterDefinition<L> {
  const counter = { startingAtZero: [], ...definition };
  defined.push(counter);
  return counter;
}

export const definedCounters = (): readonly CounterDefinition[] => defined;
