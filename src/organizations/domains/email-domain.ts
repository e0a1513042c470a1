/** @param emailKey the address in lower case. */
export const domainOfEmail = (emailKey: string): string => emailKey.slice(emailKey.lastIndexOf('@') + 1);
