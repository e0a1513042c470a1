export * from './identities.service';
export * from './upstream-person';
