import type { components } from '../../api/schema';

export type Setting = components['schemas']['SettingDto'];
export type SettingValue = Setting['value'];
