import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { installHttp } from 'castellan';
import { AppModule } from './app.module';

async function start(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
    logger: ['warn', 'error'],
  });
  installHttp(app);
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT'] ?? 4500), '127.0.0.1');
  process.stdout.write(`The shop is open at ${await app.getUrl()}\n`);
}

void start();
