import { Module } from '@nestjs/common';
import { UsersModule } from '../../users';
import { AcceptedTermsService } from './accepted-terms.service';

/** The acceptance of the terms by the logged-in user. */
@Module({
  imports: [UsersModule],
  providers: [AcceptedTermsService],
  exports: [AcceptedTermsService],
})
export class TermsModule {}
