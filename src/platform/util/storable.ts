/** Whether PostgreSQL can store the text: no NUL and no lone surrogates, which UTF-8 cannot encode. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
