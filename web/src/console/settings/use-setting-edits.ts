import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { reloadInfo } from '../info-context';
import { useSubmit, type Submit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import type { Setting, SettingValue } from './setting';

interface Edit {
  readonly value: SettingValue;
  /** Version before the edit. The service rejects the save if another user has changed the setting since. */
  readonly version: number;
}

export interface SettingProblem {
  readonly key: string;
  readonly detail: string;
}

export interface SettingChange {
  readonly setting: Setting;
  readonly value: SettingValue | undefined;
}

export interface SettingEdits {
  /** Saves the edits. */
  readonly act: Submit;
  readonly count: number;
  /** Errors of the last save, without settings that were edited since. */
  readonly problems: readonly SettingProblem[];
  /** Edited value. Undefined if it equals the stored one. */
  typed(setting: Setting): SettingValue | undefined;
  /**
   * An edit that equals the stored value is removed. Secrets are never shown, so an empty secret counts as unchanged.
   */
  edit(setting: Setting, value: SettingValue | undefined): void;
  /** The same for several settings at once. */
  editAll(changes: readonly SettingChange[]): void;
  readonly discard: () => void;
  /** @param reason is kept in the history and the audit log. */
  readonly save: (reason?: string) => Promise<void>;
}

const { queryKey } = $api.queryOptions('get', '/api/setting');

type Edits = Readonly<Record<string, Edit>>;

/** The service names each change by its index in the request. */
function problemsOf(fields: Submit['fields'], sent: Edits, edits: Edits): SettingProblem[] {
  const keys = Object.keys(sent);
  return Object.entries(fields).flatMap(([field, detail]) => {
    const place = /^updates\[(\d+)\]/.exec(field)?.[1];
    const key = place === undefined ? undefined : keys[Number(place)];
    return key !== undefined && edits[key] === sent[key] ? [{ key, detail }] : [];
  });
}

const isStored = ({ is_secret, value }: Setting, typed: SettingValue): boolean =>
  is_secret ? typed === '' : JSON.stringify(typed) === JSON.stringify(value);

function withEdit(edits: Edits, { setting, value }: SettingChange): Edits {
  const { key, version } = setting;
  const { [key]: before, ...others } = edits;
  const isEdit = value !== undefined && !isStored(setting, value);
  return isEdit ? { ...others, [key]: { value, version: before?.version ?? version } } : others;
}

const without = (edits: Edits, saved: Edits): Edits =>
  Object.fromEntries(Object.entries(edits).filter(([key, edit]) => edit !== saved[key]));

/** Unsaved edits of settings. They are saved in one request, all or none. */
export function useSettingEdits(): SettingEdits {
  const { t } = useTranslation();
  const act = useSubmit();
  const [edits, setEdits] = useState<Edits>({});
  const [sent, setSent] = useState<Edits>({});
  useUnsaved(Object.keys(edits).length > 0);
  return {
    act,
    count: Object.keys(edits).length,
    problems: problemsOf(act.fields, sent, edits),
    typed: ({ key }) => edits[key]?.value,
    edit(setting, value) {
      setEdits(withEdit(edits, { setting, value }));
    },
    editAll(changes) {
      setEdits(changes.reduce(withEdit, edits));
    },
    discard: () => {
      setEdits({});
    },
    save: async (reason = '') => {
      setSent(edits);
      const updates = Object.entries(edits).map(([key, edit]) => ({ key, ...edit }));
      const body = { updates, ...(reason !== '' && { reason }) };
      const saved = await act.run(() => api.PUT('/api/setting', { body }), t('act.saved'));
      // Keep edits made during the request.
      if (saved) {
        setEdits((now) => without(now, edits));
        await reloadInfo();
      }
      // Reload after a rejection too, so that Discard shows the changes of other users.
      await queryClient.invalidateQueries({ queryKey });
    },
  };
}
