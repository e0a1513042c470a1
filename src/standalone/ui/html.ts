/** JSON for a data block in a page, escaped so that it cannot end the block (HTML §4.12.1.3). */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
