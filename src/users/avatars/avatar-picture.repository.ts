import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { CASTELLAN } from '../../platform/database';
import { AvatarPicture } from './avatar-picture.entity';
import { AvatarPictures } from './avatar-pictures';
import type { Picture } from './picture';

@Injectable()
export class AvatarPictureRepository extends AvatarPictures {
  constructor(@InjectRepository(AvatarPicture, CASTELLAN) private readonly pictures: Repository<AvatarPicture>) {
    super();
  }

  async add(userId: string, name: string, { format, content }: Picture): Promise<void> {
    await this.pictures.insert({ name, userId, format, content });
  }

  async find(name: string): Promise<Picture | undefined> {
    return (await this.pictures.findOneBy({ name })) ?? undefined;
  }

  async deleteOthers(userId: string, name: string | undefined): Promise<void> {
    await this.pictures.delete({ userId, ...(name !== undefined && { name: Not(name) }) });
  }
}
