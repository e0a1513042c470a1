import { Module } from '@nestjs/common';
import { HomeController } from './home.controller';
import { UiController } from './ui.controller';
import { UiFiles } from './ui-files';

/** The pages of the standalone server; in a host, `/login` and the like are the host's. */
@Module({ controllers: [HomeController, UiController], providers: [UiFiles] })
export class UiModule {}
