import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { useAct, type Act } from '../parts/use-act';
import { queryClient } from '../query-client';
import { useUnsaved } from '../unsaved';
import type { Setting, SettingValue } from './settings-page';

interface Edit {
  readonly value: SettingValue;
  /** The one that was typed over: what somebody else sets meanwhile is refused, not overwritten. */
  readonly version: number;
}

export interface SettingProblem {
  readonly key: string;
  readonly detail: string;
}

export interface SettingEdits {
  /** What they are saved by. */
  readonly act: Act;
  readonly count: number;
  /** Of the last refusal, without those whose setting was typed over since. */
  readonly problems: readonly SettingProblem[];
  /** What was typed; undefined: it is as it is stored. */
  typed(setting: Setting): SettingValue | undefined;
  /** What is as it is stored is no edit; a secret is never shown, so that an empty one is none either. */
  edit(setting: Setting, value: SettingValue | undefined): void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
}

const { queryKey } = $api.queryOptions('get', '/api/setting');

type Edits = Readonly<Record<string, Edit>>;

/** The service names a change by its place in what was sent. */
function problemsOf(fields: Act['fields'], sent: Edits, edits: Edits): SettingProblem[] {
  const keys = Object.keys(sent);
  return Object.entries(fields).flatMap(([field, detail]) => {
    const place = /^updates\[(\d+)\]/.exec(field)?.[1];
    const key = place === undefined ? undefined : keys[Number(place)];
    return key !== undefined && edits[key] === sent[key] ? [{ key, detail }] : [];
  });
}

const isStored = ({ is_secret, value }: Setting, typed: SettingValue): boolean =>
  is_secret ? typed === '' : JSON.stringify(typed) === JSON.stringify(value);

const without = (edits: Edits, saved: Edits): Edits =>
  Object.fromEntries(Object.entries(edits).filter(([key, edit]) => edit !== saved[key]));

/** Settings that are typed over, until they are saved, all or none. */
export function useSettingEdits(): SettingEdits {
  const { t } = useTranslation();
  const act = useAct();
  const [edits, setEdits] = useState<Edits>({});
  const [sent, setSent] = useState<Edits>({});
  useUnsaved(Object.keys(edits).length > 0);
  return {
    act,
    count: Object.keys(edits).length,
    problems: problemsOf(act.fields, sent, edits),
    typed: ({ key }) => edits[key]?.value,
    edit(setting, value) {
      const { key, version } = setting;
      const { [key]: before, ...others } = edits;
      const isEdit = value !== undefined && !isStored(setting, value);
      setEdits(isEdit ? { ...others, [key]: { value, version: before?.version ?? version } } : others);
    },
    discard: () => {
      setEdits({});
    },
    save: async () => {
      setSent(edits);
      const updates = Object.entries(edits).map(([key, edit]) => ({ key, ...edit }));
      const saved = await act.run(() => api.PUT('/api/setting', { body: { updates } }), t('act.saved'));
      // What was typed meanwhile stays.
      if (saved) setEdits((now) => without(now, edits));
      // Refused, too: what somebody else has set is what is there after the edit is discarded.
      await queryClient.invalidateQueries({ queryKey });
    },
  };
}
