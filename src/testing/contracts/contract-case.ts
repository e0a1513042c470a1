/** One case of a contract, for any test runner: `for (const { name, run } of cases) it(name, run);` */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface UnderTest {
  close?(): void | Promise<void>;
}

/** Creates the implementation for each case. It is closed afterwards. */
export type Make<Under extends UnderTest> = () => Under | Promise<Under>;

export type Promises<Under> = Readonly<Record<string, (under: Under) => void | Promise<void>>>;

export function contractOf<Under extends UnderTest>(make: Make<Under>, promises: Promises<Under>): ContractCase[] {
  return Object.entries(promises).map(([name, keep]) => ({
    name,
    run: async () => {
      const under = await make();
      try {
        await keep(under);
      } finally {
        await under.close?.();
      }
    },
  }));
}

/** The same case for each of several values. */
export function forEach<T, Under>(
  values: readonly T[],
  name: (value: T) => string,
  keep: (under: Under, value: T) => void | Promise<void>,
): Promises<Under> {
  return Object.fromEntries(values.map((value) => [name(value), (under: Under) => keep(under, value)]));
}
