import { Module } from '@nestjs/common';
import { SessionModule } from '../../session';
import { UsersModule } from '../../users';
import { HomeController } from './home.controller';
import { UiController } from './ui.controller';
import { UiFilesService } from './ui-files.service';

/** The pages of the standalone server. In a host application, `/login` and others belong to the host. */
@Module({
  imports: [SessionModule, UsersModule],
  controllers: [HomeController, UiController],
  providers: [UiFilesService],
})
export class UiModule {}
