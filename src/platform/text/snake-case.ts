/** `lastAdmin` becomes `last_admin`: names of the code as contract and audit spell them. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
