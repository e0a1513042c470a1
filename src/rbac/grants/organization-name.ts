import { groupNameKey, isGroupName } from './group-name';

/** Characters of a name. */
export const MAX_ORGANIZATION_NAME = 100;
export const MAX_SLUG = 50;

/** Begins with a letter, so that no slug looks like an id. */
export const SLUG_PATTERN = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';

const SLUG = new RegExp(SLUG_PATTERN);

/** Whether the text has lower-case letters, digits and single hyphens only, and begins with a letter. */
export const isSlug = (text: string): boolean => text.length >= 2 && text.length <= MAX_SLUG && SLUG.test(text);

/** Whether the text can be a name, which follows the rules of group names. */
export const isOrganizationName = (text: string): boolean =>
  Array.from(text).length <= MAX_ORGANIZATION_NAME && isGroupName(text);

/** The name for search and order. Names follow the rules of group names. */
export const organizationNameKey = groupNameKey;
