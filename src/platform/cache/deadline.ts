// Where failover-cache.ts looks for it.
export { withDeadline } from '../time';
