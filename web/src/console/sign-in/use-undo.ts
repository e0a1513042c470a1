import { useState } from 'react';
import type { Setting, SettingValue } from '../settings/setting';
import type { SettingEdits } from '../settings/use-setting-edits';

interface Before {
  readonly key: string;
  readonly version: number;
  /** null: the default. */
  readonly value: SettingValue;
}

export interface Undo {
  readonly edits: SettingEdits;
  /** Edits the settings of the last save back to what they were. Undefined: nothing was saved on this page. */
  readonly undo: (() => void) | undefined;
}

const edited = (settings: readonly Setting[], edits: SettingEdits): Before[] =>
  settings
    .filter((setting) => edits.typed(setting) !== undefined)
    .map(({ key, version, value, is_set: isSet }) => ({ key, version, value: isSet ? value : null }));

/** Remembers what a save replaced, so that the whole batch can be taken back. */
export function useUndo(settings: readonly Setting[], edits: SettingEdits): Undo {
  const [before, setBefore] = useState<readonly Before[]>([]);
  const find = (wanted: string): Setting | undefined => settings.find(({ key }) => key === wanted);
  // A rejected save has changed no version.
  const saved = before.filter(({ key, version }) => (find(key)?.version ?? version) > version);
  const restore = (): void => {
    edits.editAll(
      saved.flatMap(({ key, value }) => {
        const setting = find(key);
        return setting ? [{ setting, value }] : [];
      }),
    );
    setBefore([]);
  };
  const save = async (reason?: string): Promise<void> => {
    setBefore(edited(settings, edits));
    await edits.save(reason);
  };
  return { edits: { ...edits, save }, undo: saved.length > 0 && edits.count === 0 ? restore : undefined };
}
