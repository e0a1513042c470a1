/** Whether PostgreSQL can hold the text: neither NUL nor lone surrogates, which do not survive UTF-8. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
