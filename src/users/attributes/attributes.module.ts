import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { AttributeKey } from './attribute-key.entity';
import { AttributeKeyRepository } from './attribute-key.repository';
import { AttributeReaders } from './attribute-readers.registry';
import { AttributeWorkJob } from './attribute-work.job';
import { AttributeWorkRepository } from './attribute-work.repository';
import { AttributeCache } from './attribute.cache';
import { Attribute } from './attribute.entity';
import { AttributeRepository } from './attribute.repository';
import { AttributesController } from './attributes.controller';
import { AttributesService } from './attributes.service';
import { FileAttributesService } from './file-attributes.service';
import { OwnAttributesController } from './own-attributes.controller';
import { UserAttributesService } from './user-attributes.service';

/** Fields of users that operators and hosts define. */
@Module({
  imports: [RepositoriesModule.forFeature([Attribute, AttributeKey]), AuditModule],
  controllers: [AttributesController, OwnAttributesController],
  providers: [
    AttributeCache,
    AttributeKeyRepository,
    AttributeReaders,
    AttributeRepository,
    AttributeWorkJob,
    AttributeWorkRepository,
    AttributesService,
    FileAttributesService,
    UserAttributesService,
  ],
  exports: [
    AttributeCache,
    AttributeKeyRepository,
    AttributeReaders,
    AttributesService,
    FileAttributesService,
    UserAttributesService,
  ],
})
export class AttributesModule {}

export const attributesFeature: Feature = {
  module: AttributesModule,
  entities: [Attribute, AttributeKey],
  tags: { Attributes: 'Fields of users that operators define' },
};
