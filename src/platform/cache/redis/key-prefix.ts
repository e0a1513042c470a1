import { Environment } from '../../config';

/**
 * The scope separates services that share a Redis. The braces are a hash tag (Redis Cluster specification, "Hash
 * tags"): all keys of a service lie on one node, so multi-key steps stay atomic.
 */
export const keyPrefix = ({ serviceScope }: Environment): string => `castellan:{${serviceScope}}:`;
