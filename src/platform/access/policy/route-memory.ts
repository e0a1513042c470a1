import { ExecutionContext } from '@nestjs/common';

/** What was read once about each route. Keyed by controller class, because subclasses may inherit one handler. */
export class RouteMemory<T> {
  private readonly known = new WeakMap<object, Map<object, T>>();

  /** @param read is called at the first request of a route. Its result never changes. */
  constructor(private readonly read: (context: ExecutionContext) => T) {}

  get(context: ExecutionContext): T {
    return this.known.get(context.getClass())?.get(context.getHandler()) ?? this.remember(context);
  }

  private remember(context: ExecutionContext): T {
    const handlers = this.known.get(context.getClass()) ?? new Map<object, T>();
    const value = this.read(context);
    this.known.set(context.getClass(), handlers.set(context.getHandler(), value));
    return value;
  }
}
