export * from './identities.service';
export * from './external-identity';
