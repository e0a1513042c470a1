export * from './notice.settings';
export { NoticesService } from './notices.service';
