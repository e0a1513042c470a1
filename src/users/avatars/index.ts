export * from './avatar-generator';
export * from './avatar-pictures';
export * from './avatar-upload.service';
export * from './avatars.module';
export * from './avatars.settings';
export * from './dto/avatar.dto';
export type { Picture, PictureFormat } from './picture';
