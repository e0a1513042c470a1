import { Injectable } from '@nestjs/common';
import { CacheFactory, ReadThroughCache } from '../platform/cache';
import { andThen, MaybePromise } from '../platform/util';
import { FactorRepository } from './factor.repository';

/** Whether users have a second factor, cached in memory for at most a second. */
@Injectable()
export class FactorCache {
  private readonly cache: ReadThroughCache<boolean>;

  constructor(
    caches: CacheFactory,
    private readonly factors: FactorRepository,
  ) {
    this.cache = caches.create<boolean>('second_factor');
  }

  isEnrolled(userId: string): MaybePromise<boolean> {
    const found = this.cache.get(userId, () => this.factors.isEnrolled(userId));
    return andThen(found, (isEnrolled) => isEnrolled ?? false);
  }

  /** Call in the transaction that changes the user's factors. */
  invalidate(userId: string): Promise<void> {
    return this.cache.invalidate(userId);
  }
}
