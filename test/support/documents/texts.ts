import { NestFactory } from '@nestjs/core';
import { TextsModule, TranslatorService } from '../../../src/platform/i18n';

/** The texts of a folder, as the service reads them. */
export async function readTexts(folder: string): Promise<TranslatorService> {
  const context = await NestFactory.createApplicationContext(TextsModule.forRoot(folder), {
    logger: false,
    abortOnError: false,
  });
  return context.get(TranslatorService);
}
