export const ROLE_NAME_PATTERN = '^[A-Za-z0-9_.-]{2,50}$';
const ROLE_NAME = new RegExp(ROLE_NAME_PATTERN);

export function isRoleName(text: string): boolean {
  return ROLE_NAME.test(text);
}
