/** A code as the service knows it: apps and mails show it in groups, and what is copied brings spaces along. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
