import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../platform/database';
import { SigningKey } from './signing-key.entity';
import { SigningKeyRepository } from './signing-key.repository';
import { SigningKeysService } from './signing-keys.service';

/** Separate from `SessionModule`, because the `JwtModule` imported there needs the keys. */
@Module({
  imports: [RepositoriesModule.forFeature([SigningKey])],
  providers: [SigningKeyRepository, SigningKeysService],
  exports: [SigningKeysService],
})
export class SigningKeysModule {}
