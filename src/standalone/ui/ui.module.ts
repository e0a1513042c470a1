import { Module } from '@nestjs/common';
import { SessionModule } from '../../session';
import { UsersModule } from '../../users';
import { HomeController } from './home.controller';
import { PlainPagesService } from './plain-pages.service';
import { UiController } from './ui.controller';
import { UiFilesService } from './ui-files.service';
import { UnknownPageController } from './unknown-page.controller';

/** The pages of the standalone server. In a host application, `/login` and others belong to the host. */
@Module({
  imports: [SessionModule, UsersModule],
  controllers: [HomeController, UiController, UnknownPageController],
  providers: [PlainPagesService, UiFilesService],
})
export class UiModule {}
