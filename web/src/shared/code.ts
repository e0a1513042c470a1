/** Removes spaces from a code: apps and mails show codes in groups, and pasted text may contain spaces. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
