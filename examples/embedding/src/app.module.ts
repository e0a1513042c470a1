import { Body, Controller, DynamicModule, Get, Module, Post } from '@nestjs/common';
import { IdentityModule } from 'castellan';
import type { IdentityValues } from 'castellan';
import { DataSource } from 'typeorm';
import { BadgeLogin } from './badge-login';
import { HouseSms, SmsGateway } from './house-sms';
import { IntranetAdapter } from './intranet.adapter';
import { InvoicesController, OwnInvoice } from './invoices';
import { Welcome } from './welcome';

/** Routes of the host, independent of the identity service. */
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

/** Providers that both the host and the identity service inject: the host's data source and the SMS gateway. */
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
