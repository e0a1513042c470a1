import { Module } from '@nestjs/common';
import { SettingsModule } from '../../settings';
import { DeliveryModule } from '../delivery/delivery.module';
import { NoticesService } from './notices.service';

/** Informs users of changes to their accounts. */
@Module({ imports: [SettingsModule, DeliveryModule], providers: [NoticesService] })
export class NoticesModule {}
