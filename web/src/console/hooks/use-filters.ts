import { useSearchParams } from 'react-router';

/** Keeps filters in the address, so that a list can be shared and restored. A changed filter resets the page number. */
export function useFilters<const Name extends string>(
  names: readonly Name[],
): [Readonly<Record<Name, string>>, (name: Name, value: string) => void] {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;
  const set = (name: Name, value: string): void => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('page');
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  };
  return [values, set];
}

/** Returns the text if it is an allowed value, else ''. Users may edit the address. */
export const oneOf = <const Value extends string>(values: readonly Value[], text: string): Value | '' =>
  values.find((value) => value === text) ?? '';

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], ''> };

/** Removes empty filters, which the API rejects. */
export function given<T extends object>(filters: T): Given<T> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as Given<T>;
}
