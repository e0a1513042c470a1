import { Module } from '@nestjs/common';
import { SigningKeysModule } from '../keys/signing-keys.module';
import { SessionStoreModule } from '../store/session-store.module';
import { SettingsModule } from '../../settings';
import { SessionCookiesService } from './session-cookies.service';
import { sessionJwtModule } from './session-jwt';
import { TokenService } from './token.service';

/** The tokens of sessions, and the cookies that carry them. */
@Module({
  imports: [SettingsModule, SigningKeysModule, SessionStoreModule, sessionJwtModule],
  providers: [TokenService, SessionCookiesService],
  exports: [TokenService, SessionCookiesService],
})
export class SessionTokensModule {}
