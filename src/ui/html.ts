/** JSON for a data block of a page: nothing in it can end the block (HTML §4.12.1.3). */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
