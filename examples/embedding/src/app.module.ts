import { Body, Controller, DynamicModule, Get, Module, Post } from '@nestjs/common';
import { IdentityModule } from 'castellan';
import type { IdentityValues } from 'castellan';
import { DataSource } from 'typeorm';
import { BadgeLogin } from './badge-login';
import { HouseSms, SmsGateway } from './house-sms';
import { IntranetAdapter } from './intranet.adapter';
import { InvoicesController, OwnInvoice } from './invoices';
import { Welcome } from './welcome';

/** The host's own routes: the service has no part in them. */
@Controller()
class ShopController {
  @Get()
  home(): string {
    return 'A shop';
  }

  @Post('feedback')
  feedback(@Body() body: unknown): object {
    return { thanks: body };
  }
}

/** What host and service both ask for: the host's own data source and its gateway. */
@Module({})
class ShopParts {
  static with(dataSource: DataSource): DynamicModule {
    const providers = [{ provide: DataSource, useValue: dataSource }, SmsGateway];
    return { module: ShopParts, providers, exports: providers };
  }
}

@Module({})
export class AppModule {
  static register(dataSource: DataSource, values: () => IdentityValues): DynamicModule {
    const parts = ShopParts.with(dataSource);
    const identity = IdentityModule.forRootAsync({
      imports: [parts],
      useFactory: values,
      extensions: {
        smsSender: HouseSms,
        loginMethods: [BadgeLogin],
        oauthProviderAdapters: [IntranetAdapter],
      },
    });
    return {
      module: AppModule,
      imports: [parts, identity],
      controllers: [ShopController, InvoicesController],
      providers: [OwnInvoice, Welcome],
    };
  }
}
