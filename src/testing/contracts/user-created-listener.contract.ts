import { ok } from 'node:assert/strict';
import type { UserCreated, UserCreatedListener, UserSource } from '../../users';
import { ContractCase, contractOf, forEach, Make, UnderTest } from './contract-case';

export interface ListenerUnderTest extends UnderTest {
  /** The method with `@OnUserCreate()`, bound to its provider. */
  readonly listener: UserCreatedListener;
  /** An existing user, if the listener looks one up. */
  readonly event?: Pick<UserCreated, 'userId' | 'username'>;
}

/** A registration waits for the listeners, but two seconds at most. */
const PATIENCE_MS = 2_000;
const sources: readonly UserSource[] = ['register', 'bind', 'provider', 'admin', 'import', 'operator'];
const NEW_USER = { userId: '00000000-0000-7000-8000-000000000001', username: 'somebody' };

/** The contract of a listener with `@OnUserCreate()`, which must not delay a registration or be cut off. */
export function userCreatedListenerContract(make: Make<ListenerUnderTest>): ContractCase[] {
  return contractOf<ListenerUnderTest>(
    make,
    forEach<UserSource, ListenerUnderTest>(
      sources,
      (source) => `settles within two seconds for a user from ${source} and does not change the event`,
      async ({ listener, event = NEW_USER }, source) => {
        const started = performance.now();
        await listener(Object.freeze({ ...event, source }));
        const took = performance.now() - started;
        ok(took < PATIENCE_MS, `It took ${took} ms`);
      },
    ),
  );
}
