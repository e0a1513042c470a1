export * from './login';
export * from './oauth.module';
export * from './server';
