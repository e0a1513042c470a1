import { ok } from 'node:assert/strict';
import type { UserCreated, UserCreatedListener, UserSource } from '../../users';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

export interface ListenerUnderTest extends UnderTest {
  /** The method that carries `@OnUserCreate()`, bound to its provider. */
  readonly listener: UserCreatedListener;
  /** A user that is there, where the listener looks one up. */
  readonly event?: Pick<UserCreated, 'userId' | 'username'>;
}

/** Whoever registers waits for the listeners, and two seconds at most. */
const PATIENCE_MS = 2_000;
const sources: readonly UserSource[] = ['register', 'bind', 'provider', 'admin', 'import'];
const SOMEBODY = { userId: '00000000-0000-7000-8000-000000000001', username: 'somebody' };

/** What a listener marked `@OnUserCreate()` is to keep to, so that it neither delays a registration nor is cut short. */
export function userCreatedListenerContract(make: Make<ListenerUnderTest>): ContractCase[] {
  return contractOf<ListenerUnderTest>(
    make,
    forEach<UserSource, ListenerUnderTest>(
      sources,
      (source) => `settles within two seconds for a user who came by ${source}, and changes no event`,
      async ({ listener, event = SOMEBODY }, source) => {
        const started = performance.now();
        await listener(Object.freeze({ ...event, source }));
        const took = performance.now() - started;
        ok(took < PATIENCE_MS, `It took ${took} ms`);
      },
    ),
  );
}
