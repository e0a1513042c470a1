export * from './notice.settings';
export { Notices } from './notices';
