export * from './data-folder';
export * from './development-secrets';
export * from './environment';
export * from './environment-error';
export * from './read-environment';
export * from './redis-nodes';
export * from './telemetry-environment';
export type { EnvironmentSource } from './variable-reader';
export * from './project-root';
