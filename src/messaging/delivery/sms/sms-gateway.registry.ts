import { Injectable } from '@nestjs/common';
import { AliyunGateway } from './aliyun.gateway';
import { HttpHookGateway } from './http-hook.gateway';
import { SmsGateway } from './sms.gateway';
import { TencentGateway } from './tencent.gateway';
import { TwilioGateway } from './twilio.gateway';

/** The providers that the settings can choose. */
@Injectable()
export class SmsGatewayRegistry {
  private readonly gateways: readonly SmsGateway[];

  constructor(aliyun: AliyunGateway, tencent: TencentGateway, twilio: TwilioGateway, http: HttpHookGateway) {
    this.gateways = [aliyun, tencent, twilio, http];
  }

  find(name: string): SmsGateway | undefined {
    return this.gateways.find((gateway) => gateway.name === name);
  }
}
