import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import type { SettingEditor } from './setting-editor';

const Loaded = lazy(async () => ({ default: (await import('./setting-editor')).SettingEditor }));

/**
 * Loads the editor beside the settings, so that other pages do not carry its inputs. Each has a boundary: Preact loses
 * the parents of a panel that renders again while it waits.
 */
export function LazySettingEditor(props: ComponentProps<typeof SettingEditor>): ReactNode {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
