import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../../platform/cache';
import { MaybePromise } from '../../platform/util';
import { Attribute } from './attribute.entity';
import { AttributeRepository } from './attribute.repository';

/** The attributes in force, by position, then name. At most a second old, at once after a change here. */
@Injectable()
export class AttributeCache {
  private readonly attributes: Snapshot<readonly Attribute[]>;

  constructor(caches: CacheFactory, repository: AttributeRepository) {
    this.attributes = caches.createSnapshot<readonly Attribute[]>('attribute', () => repository.findAll());
  }

  get(): MaybePromise<readonly Attribute[]> {
    return this.attributes.get();
  }

  /** Call in the transaction that changes an attribute. */
  invalidate(): Promise<void> {
    return this.attributes.invalidate();
  }
}
