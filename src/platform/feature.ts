import type { Type } from '@nestjs/common';
import type { Schema } from './database';

/** What a feature gives to the composition root. */
export interface Feature {
  readonly module: Type;
  readonly entities?: Schema['entities'];
  /** Tags of its routes in the OpenAPI document, and what the operations under each are for. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The tags of all features, in their order. */
export const API_TAGS = Symbol('castellan.api_tags');
