import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { installHttp } from 'castellan';
import { join } from 'node:path';
import { AppModule } from './app.module';
import { openShop } from './database';

const { DATA_DIR: dataDir = '.data-shop', PORT: port = '4300' } = process.env;

async function start(): Promise<void> {
  const shop = await openShop(join(dataDir, 'shop'));
  const environment = { ...process.env, DATA_DIR: join(dataDir, 'identity') };
  const root = AppModule.register(shop.dataSource, () => ({ environment }));
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    logger: ['warn', 'error'],
  });
  installHttp(app);
  app.enableShutdownHooks();
  await app.listen(Number(port), '127.0.0.1');
  process.stdout.write(`The shop is open at ${await app.getUrl()}\n`);
}

void start();
