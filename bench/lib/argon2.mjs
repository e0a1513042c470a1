/** The hash parameters of the service: argon2id, 19 MiB, 2 passes, 1 lane (RFC 9106 §4, OWASP). */
export const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
