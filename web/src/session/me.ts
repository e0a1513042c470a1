import type { components } from '../api/schema';

export type Me = components['schemas']['UserInfoWithPermsDto'];
