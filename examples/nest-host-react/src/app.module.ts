import { Module } from '@nestjs/common';
import { IdentityModule } from 'castellan';
import { declarations } from './declarations';
import { OrderBook, OrdersController } from './orders';
import { PageController } from './page.controller';

const environment = { DATA_DIR: '.data-shop', ...process.env };

@Module({
  imports: [IdentityModule.forRoot({ environment, ...declarations })],
  controllers: [OrdersController, PageController],
  providers: [OrderBook],
})
export class AppModule {}
