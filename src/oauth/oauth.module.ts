import { DynamicModule, Module } from '@nestjs/common';
import { AutoRegistration } from './flow/auto-registration';
import { BindTicketRepository } from './flow/bind-ticket.repository';
import { BindTicketGuard } from './flow/bind-ticket.guard';
import { BindTickets } from './flow/bind-tickets';
import { BindController } from './flow/bind.controller';
import { BindService } from './flow/bind.service';
import { CallbackAnswers, CallbackFilter } from './flow/callback-answers';
import { CallbackController } from './flow/callback.controller';
import { CallbackService } from './flow/callback.service';
import { DeferredLinks } from './flow/deferred-links';
import { FlowCleaner } from './flow/flow-cleaner';
import { FlowCookies } from './flow/flow-cookies';
import { LoginStart } from './flow/login-start';
import { ReturnAddresses } from './flow/return-addresses';
import { LoginStateRepository } from './flow/login-state.repository';
import { LoginStates } from './flow/login-states';
import { PersonLogin } from './flow/person-login';
import { IdentitiesController } from './identities/identities.controller';
import { Identities } from './identities/identities.service';
import { IdentityCredentials } from './identities/identity-credentials';
import { IdentityRepository } from './identities/identity.repository';
import { ImportedIdentities } from './identities/imported-identities';

/** Login through third parties: how they are reached, how people come and go, and whose account is whose. */
@Module({})
export class OAuthModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: OAuthModule,
      imports,
      controllers: [CallbackController, BindController, IdentitiesController],
      providers: [
        IdentityRepository,
        Identities,
        IdentityCredentials,
        ImportedIdentities,
        LoginStateRepository,
        LoginStates,
        BindTicketRepository,
        BindTickets,
        BindTicketGuard,
        FlowCookies,
        FlowCleaner,
        LoginStart,
        ReturnAddresses,
        AutoRegistration,
        DeferredLinks,
        PersonLogin,
        CallbackService,
        CallbackAnswers,
        CallbackFilter,
        BindService,
      ],
      exports: [Identities, ImportedIdentities],
    };
  }
}
