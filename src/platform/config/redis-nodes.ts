/** A password may hold a comma; the next URL begins with its scheme. */
const BETWEEN_NODES = /,(?=rediss?:\/\/)/;

/** The URLs that `REDIS_URL` names: one server, or several nodes of one cluster. */
export const redisNodes = (url: string): string[] => url.split(BETWEEN_NODES);
