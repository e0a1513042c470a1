export { type CastellanClient, type CastellanClientOptions, createCastellanClient } from './client';
export { CookieJar, fetchWithCookies } from './cookie-jar';
export { type FieldProblem, isProblem, type Problem } from './problem';
export type { Send } from './renewing-fetch';
export type { components, paths } from './schema';
