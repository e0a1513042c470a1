import type { ComponentType } from 'react';
import { Store } from './store';

export interface Shown {
  readonly path: string;
  readonly Page: ComponentType;
  /** How the user came to the page. The browser manages focus and scrolling of the first. */
  readonly by: 'load' | 'link' | 'history';
}

/** The page on show. Undefined before the first is loaded. */
export const shown = new Store<Shown | undefined>(undefined);

/** Whether a page is loading. The previous page stays visible meanwhile. */
export const isLoading = new Store(false);
