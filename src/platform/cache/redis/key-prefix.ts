import { Environment } from '../../config';

/**
 * Services that share a Redis are told apart by their scopes. In a cluster what stands in braces decides on the node, so
 * that all a service keeps lies on one: steps that belong together stay one step (Redis Cluster specification, "Hash tags").
 */
export const keyPrefix = ({ serviceScope }: Environment): string => `castellan:{${serviceScope}}:`;
