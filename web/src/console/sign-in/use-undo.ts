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
  /** Edits the settings of the last save back to what they were. Undefined: there is nothing to take back. */
  readonly undo: (() => void) | undefined;
  /** Settings of the last save that were changed again since, here or by someone else. They stay as they are. */
  readonly overtaken: readonly Setting[];
}

const edited = (settings: readonly Setting[], edits: SettingEdits): Before[] =>
  settings
    .filter((setting) => edits.typed(setting) !== undefined)
    .map(({ key, version, value, is_set: isSet }) => ({ key, version, value: isSet ? value : null }));

/** Remembers what a save replaced, so that the whole batch can be taken back. */
export function useUndo(settings: readonly Setting[], edits: SettingEdits): Undo {
  const [before, setBefore] = useState<readonly Before[]>([]);
  const replaced = before.flatMap(({ key, version, value }) => {
    const setting = settings.find((one) => one.key === key);
    return setting ? [{ setting, value, changes: setting.version - version }] : [];
  });
  // A rejected save has changed no version.
  const saved = replaced.filter(({ changes }) => changes === 1);
  const restore = (): void => {
    edits.editAll(saved);
    setBefore([]);
  };
  const save = async (reason?: string): Promise<void> => {
    setBefore(edited(settings, edits));
    await edits.save(reason);
  };
  return {
    edits: { ...edits, save },
    undo: saved.length > 0 && edits.count === 0 ? restore : undefined,
    overtaken: replaced.filter(({ changes }) => changes > 1).map(({ setting }) => setting),
  };
}
