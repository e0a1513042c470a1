import type { Type } from '@nestjs/common';
import type { Schema } from './database';

/** What a feature contributes to the composition root. */
export interface Feature {
  readonly module: Type;
  readonly entities?: Schema['entities'];
  /** OpenAPI tags of its routes, with their descriptions. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** OpenAPI tags of all features, in order. */
export const API_TAGS = Symbol('castellan.api_tags');
