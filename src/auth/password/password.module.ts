import { Module } from '@nestjs/common';
import { SessionModule } from '../../session';
import { UsersModule } from '../../users';
import { VerificationModule } from '../../verification';
import { LoginModule } from '../login';
import { PasswordReplacementService } from './password-replacement.service';
import { PasswordResetProofService } from './password-reset-proof.service';
import { PasswordResetService } from './password-reset.service';
import { PasswordService } from './password.service';

/** The change of a password by its owner, and its reset with a code. */
@Module({
  imports: [UsersModule, SessionModule, VerificationModule, LoginModule],
  providers: [PasswordService, PasswordResetService, PasswordResetProofService, PasswordReplacementService],
  exports: [PasswordService, PasswordResetService],
})
export class PasswordModule {}
