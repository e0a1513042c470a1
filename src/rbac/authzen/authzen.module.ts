import { Module } from '@nestjs/common';
import { UsersModule } from '../../users';
import { AccessEvaluationsService } from './access-evaluations.service';
import { AuthzenMetadataController } from './authzen-metadata.controller';
import { AuthzenController } from './authzen.controller';
import { AuthorityModule } from '../authority/authority.module';

/** Decisions by the OpenID AuthZEN Authorization API 1.0. */
@Module({
  imports: [UsersModule, AuthorityModule],
  controllers: [AuthzenController, AuthzenMetadataController],
  providers: [AccessEvaluationsService],
})
export class AuthzenModule {}
