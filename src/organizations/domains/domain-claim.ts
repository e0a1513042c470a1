import { randomToken } from '../../platform/crypto';

/** Of one organization. */
export const MAX_DOMAINS = 100;

const TOKEN_BYTES = 16;

/** The value of the TXT record that proves a claim. */
export const newTxtValue = (): string => `castellan-domain-verification=${randomToken(TOKEN_BYTES)}`;
