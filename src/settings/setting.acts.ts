import { Act, defineAct, defineFeedEvents, eventField } from '../audit';

export const settingEvents = defineFeedEvents({
  'setting.changed': {
    meaning: 'A setting changed.',
    subject: 'setting',
    data: { rollback: eventField.flag('Whether a former value was restored') },
  },
});

interface SettingState {
  readonly value: unknown;
  readonly version: number;
}

interface Change {
  readonly before: SettingState;
  readonly after: SettingState;
}

export type SettingAct = Act<Change>;

export const settingActs = {
  update: defineAct<Change>('setting.update', {
    events: () => [settingEvents('setting.changed', { rollback: false })],
  }),
  rollback: defineAct<Change>('setting.rollback', {
    events: () => [settingEvents('setting.changed', { rollback: true })],
  }),
};
