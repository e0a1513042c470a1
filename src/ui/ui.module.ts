import { Module } from '@nestjs/common';
import { HomeController } from './home.controller';
import { UiController } from './ui.controller';
import { UiFilesService } from './ui-files.service';

/** The pages of the standalone server; in a host, `/login` and the like are the host's. */
@Module({ controllers: [HomeController, UiController], providers: [UiFilesService] })
export class UiModule {}
