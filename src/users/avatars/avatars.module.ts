import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { replaceable } from '../../platform/host-part';
import { UsersModule } from '../users.module';
import { AvatarGenerator, IdenticonGenerator } from './avatar-generator';
import { AvatarPicture } from './avatar-picture.entity';
import { AvatarPictures } from './avatar-pictures';
import { AvatarUploadService } from './avatar-upload.service';
import { AvatarController } from './avatar.controller';
import { AvatarPictureRepository } from './avatar-picture.repository';

@Module({
  imports: [RepositoriesModule.forFeature([AvatarPicture]), UsersModule],
  controllers: [AvatarController],
  providers: [
    AvatarUploadService,
    ...replaceable(AvatarGenerator, IdenticonGenerator),
    ...replaceable(AvatarPictures, AvatarPictureRepository),
  ],
  exports: [AvatarUploadService],
})
export class AvatarsModule {}

export const avatarsFeature: Feature = { module: AvatarsModule, entities: [AvatarPicture] };
