/** A password may contain a comma, so only a comma before a scheme separates URLs. */
const BETWEEN_NODES = /,(?=rediss?:\/\/)/;

/** Splits `REDIS_URL` and `REDIS_SENTINEL_URLS` into the URLs of one server or of several nodes of a cluster. */
export const redisNodes = (url: string): string[] => url.split(BETWEEN_NODES);
