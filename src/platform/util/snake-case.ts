/** Converts `lastAdmin` to `last_admin`, the spelling in the API and the audit log. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
