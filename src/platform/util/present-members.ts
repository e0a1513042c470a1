/** The members that have a value: those that are not undefined. */
export const presentMembers = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
