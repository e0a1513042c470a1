const UNCHECKED = Symbol('castellan.unchecked_input');

/**
 * Passes the body or the query to the handler as it arrived: beside `@Body()` or `@Query()`, for input that no class
 * describes. The handler must validate it.
 */
export const UncheckedInput =
  (): ParameterDecorator =>
  (target, method, index): void => {
    if (method === undefined) return;
    const others = Reflect.getMetadata(UNCHECKED, target, method) as ReadonlySet<number> | undefined;
    Reflect.defineMetadata(UNCHECKED, new Set([...(others ?? []), index]), target, method);
  };

/** Whether the parameter of the method carries `@UncheckedInput()`. */
export function isUncheckedInput(prototype: object, method: string, index: number): boolean {
  const indexes = Reflect.getMetadata(UNCHECKED, prototype, method) as ReadonlySet<number> | undefined;
  return indexes?.has(index) === true;
}
