import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../platform/database';
import { CatalogueCache } from './catalogue.cache';
import { CatalogueEntry } from './catalogue.entity';
import { CatalogueRepository } from './catalogue.repository';
import { PermissionInputsService } from './permission-inputs.service';

const providers = [CatalogueRepository, CatalogueCache, PermissionInputsService];

/** The catalogue of permissions. */
@Module({
  imports: [RepositoriesModule.forFeature([CatalogueEntry])],
  providers,
  exports: providers,
})
export class PermissionModule {}
