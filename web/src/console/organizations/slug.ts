const MAX_LENGTH = 50;

/** Suggests a slug for a name, as far as it has Latin letters and digits. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '')
    .slice(0, MAX_LENGTH)
    .replace(/-$/, '');
